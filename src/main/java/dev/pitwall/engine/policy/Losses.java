package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Placement;

/** What is lost if a placement goes: the time to load its model again, by the likelihood that it is needed soon. */
final class Losses {
    private final Needs needs;
    private final Sizes sizes;
    private final Horizon horizon;
    private final Board board;

    Losses(Needs needs, Sizes sizes, Board board) {
        this.needs = needs;
        this.sizes = sizes;
        this.horizon = new Horizon(needs, sizes);
        this.board = board;
    }

    /** Expected seconds. A model that is elsewhere too loses nothing here. */
    double seconds(Placement placement, double now) {
        return placement.model().placements().size() > 1 ? 0 : seconds(placement.model().index(), now);
    }

    /** Expected seconds if the model is nowhere. */
    double seconds(int model, double now) {
        return sizes.loadSeconds(model) * needs.likelihood(model, now, horizonSeconds(now));
    }

    /** Seconds that a load takes, wherever it will be. */
    double loadSeconds(int model) {
        return sizes.loadSeconds(model);
    }

    /** How far ahead a need matters. */
    double horizonSeconds(double now) {
        return horizon.seconds(board, now);
    }
}
