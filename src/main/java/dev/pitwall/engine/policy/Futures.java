package dev.pitwall.engine.policy;

import java.util.SplittableRandom;

/**
 * Which models will be needed next, drawn again and again from what was learned of each one's gaps. The first need of a
 * model falls into every part of its range once in each row of futures, so that a few tell as much as many would by chance.
 * A future is drawn as it is played, as most are given up before their end.
 */
final class Futures {
    /** Draws of which each takes another part of every range. */
    private static final int ROW = 16;

    /** What {@link #next} says at the end of a future. */
    static final int NONE = -1;

    private final SplittableRandom random;
    private final Outlook[] outlooks;
    private final boolean[] waits;
    private final int needs;
    private final double[][] first;
    private final Soonest soonest;
    private int drawn = ROW;
    private int passed;
    private double at;

    /**
     * @param waits for which of them requests wait now, so that they are needed at once
     * @param needs that one future has at most
     */
    Futures(SplittableRandom random, Outlook[] outlooks, boolean[] waits, int needs) {
        this.random = random;
        this.outlooks = outlooks;
        this.waits = waits;
        this.needs = needs;
        first = new double[ROW][outlooks.length];
        soonest = new Soonest(outlooks.length);
    }

    /** Begins another future. */
    void another() {
        if (drawn == ROW) {
            draw();
            drawn = 0;
        }
        soonest.begin(first[drawn++]);
        passed = 0;
    }

    /** The position of the model that is needed next; {@link #NONE} if none is. */
    int next() {
        int model = soonest.first();
        at = soonest.time();
        if (passed++ == needs || at == Double.POSITIVE_INFINITY) {
            return NONE;
        }
        soonest.firstLater(at + outlooks[model].gap(needs(random.nextDouble())));
        return model;
    }

    /** When that is, seconds from the decision on. */
    double at() {
        return at;
    }

    private void draw() {
        int[] parts = new int[ROW];
        for (int i = 0; i < outlooks.length; i++) {
            shuffle(parts);
            for (int draw = 0; draw < ROW; draw++) {
                first[draw][i] = waits[i] ? 0 : outlooks[i].next(needs((parts[draw] + random.nextDouble()) / ROW));
            }
        }
    }

    /** Expected needs by which the first has come with that likelihood. */
    private static double needs(double likelihood) {
        return -Math.log(1 - likelihood);
    }

    private void shuffle(int[] parts) {
        for (int i = 0; i < parts.length; i++) {
            int other = random.nextInt(i + 1);
            parts[i] = parts[other];
            parts[other] = i;
        }
    }
}
