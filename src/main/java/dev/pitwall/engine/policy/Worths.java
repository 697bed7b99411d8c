package dev.pitwall.engine.policy;

import java.util.Arrays;

/**
 * What is lost if a model goes, by how long it was left alone: the time to load it again, by the likelihood that it is
 * needed within the {@link Horizon}. Looked up by ages that grow by a quarter, as futures ask for the same again and again.
 */
final class Worths {
    /** Bits of an age that are not looked at: all but two behind the point. */
    private static final int COARSE_BITS = 50;
    private static final long YOUNGEST = Double.doubleToRawLongBits(1) >>> COARSE_BITS;
    private static final int AGES = 4 * 24;

    private final Outlook[] outlooks;
    private final double[] load;
    private final double horizonSeconds;
    private final double[][] known;

    /** @param load seconds that each takes to load */
    Worths(Outlook[] outlooks, double[] load, double horizonSeconds) {
        this.outlooks = outlooks;
        this.load = load;
        this.horizonSeconds = horizonSeconds;
        known = new double[outlooks.length][AGES];
        for (double[] row : known) {
            Arrays.fill(row, Double.NaN);
        }
    }

    /** When it was used last, seconds from the decision on; never after it. */
    double usedAt(int i) {
        return -outlooks[i].idleSeconds();
    }

    /** Expected seconds if it goes after it was left alone for {@code age} seconds. */
    double seconds(int i, double age) {
        int place = (int) Math.clamp((Double.doubleToRawLongBits(age) >>> COARSE_BITS) - YOUNGEST, 0, AGES - 1);
        double seconds = known[i][place];
        if (Double.isNaN(seconds)) {
            seconds = load[i] * outlooks[i].likelihood(place == 0 ? 0 : age(place), horizonSeconds);
            known[i][place] = seconds;
        }
        return seconds;
    }

    private static double age(int place) {
        return Double.longBitsToDouble(place + YOUNGEST << COARSE_BITS);
    }
}
