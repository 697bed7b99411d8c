package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Provider;

/**
 * How far ahead a need matters: about as long as memory lets a placement stay. It is the time within which the models
 * that are needed at least once fill the memory there is ("characteristic time" of a cache). Where all fits it has no
 * end, and no placement is given up lightly; where little fits only the near future counts.
 */
final class Horizon {
    /** Part of the memory that can be filled: cards do not fill without gaps. */
    private static final double FILLED = 0.7;
    /** Part of that time that is looked ahead. */
    private static final double AHEAD = 0.75;
    private static final double SHORTEST_SECONDS = 1;
    private static final double LONGEST_SECONDS = 1e8;
    /** Halvings of the span between those two; the last leaves half a percent. */
    private static final int HALVINGS = 12;
    /** It moves with rates that are counted over hours. */
    private static final double VALID_SECONDS = 60;
    /** A solution takes time by the number of models, so with many it is kept for longer: one decision in hundreds pays it. */
    private static final double VALID_SECONDS_PER_MODEL = 0.5;

    private final Needs needs;
    private final Sizes sizes;
    private double solvedAt = Double.NEGATIVE_INFINITY;
    private double seconds = LONGEST_SECONDS;

    Horizon(Needs needs, Sizes sizes) {
        this.needs = needs;
        this.sizes = sizes;
    }

    double seconds(Board board, double now) {
        if (now - solvedAt >= Math.max(VALID_SECONDS, VALID_SECONDS_PER_MODEL * board.models().size())) {
            solvedAt = now;
            seconds = AHEAD * solve(board, now);
        }
        return seconds;
    }

    private double solve(Board board, double now) {
        int models = board.models().size();
        double[] rates = new double[models];
        double[] mib = new double[models];
        double room = 0;
        for (Provider provider : board.providers()) {
            room += provider.spec().capacityMiB() - provider.foreignMiB();
        }
        double wanted = 0;
        for (int m = 0; m < models; m++) {
            double pinned = pinnedMiB(board.models().get(m));
            room -= pinned;
            if (needs.known(m)) {
                mib[m] = pinned > 0 ? 0 : sizes.needMiB(m);
                rates[m] = needs.rate(m, now);
                wanted += mib[m];
            }
        }
        return wanted <= FILLED * room ? LONGEST_SECONDS : fill(rates, mib, FILLED * room);
    }

    private static double pinnedMiB(Model model) {
        double mib = 0;
        for (Placement p : model.placements()) {
            mib += p.pinned() ? p.needMiB() : 0;
        }
        return mib;
    }

    private static double fill(double[] rates, double[] mib, double room) {
        double low = SHORTEST_SECONDS;
        double high = LONGEST_SECONDS;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = Math.sqrt(low * high);
            if (used(rates, mib, middle) > room) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    private static double used(double[] rates, double[] mib, double seconds) {
        double used = 0;
        for (int m = 0; m < rates.length; m++) {
            used += mib[m] == 0 ? 0 : mib[m] * -Math.expm1(-rates[m] * seconds);
        }
        return used;
    }
}
