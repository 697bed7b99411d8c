package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Reason;
import java.util.List;
import java.util.Optional;

/**
 * Which placements {@code pitwall} would let go, for live servers: there the requests pass it by, so it is told of uses
 * that were seen, and the board as it was found.
 */
public final class Worth {
    private final Needs needs;
    private final Fleet fleet;

    /** A use that was seen. @param model its index in the fleet @param at seconds on the clock of decisions */
    public record Use(int model, double at) {
    }

    /** @param uses oldest first */
    public Worth(Fleet fleet, List<Use> uses) {
        this.fleet = fleet;
        this.needs = new Needs(fleet.models().size());
        uses.forEach(use -> needs.arrived(use.model(), use.at()));
    }

    /**
     * The idle placements of a provider whose going is expected to cost least and makes enough room for a model.
     *
     * @param board of the same fleet
     * @return empty if nothing makes enough room
     */
    public Optional<List<Reason.Going>> victims(Board board, int model, int provider, double now) {
        Victims victims = new Victims(new Losses(needs, new Sizes(fleet), board), new Services(fleet.models().size()));
        return victims.atOnce(board.models().get(model), board.providers().get(provider), now)
                .map(chosen -> chosen.going(now));
    }
}
