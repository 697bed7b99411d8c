package dev.pitwall.engine.policy;

import java.util.Arrays;

/** How far a future has been played, and what each model is worth by then: the same for all ways that are played through it. */
final class Moment {
    private static final int NOT_YET = -1;
    /** Contents of a provider, a power of two, for which a cost is kept. */
    private static final int WAYS = 4;

    private final Worths worths;
    private final double[] usedAt;
    private final double[] worth;
    /** In which step each worth was looked up. */
    private final int[] lookedUp;
    /** What making room costs on each provider, for some of what can be there; all for the present need. */
    private final double[] cost;
    private final long[] costOf;
    private final int[] costAt;
    private int step;
    private double now;

    Moment(Worths worths, int models, int providers) {
        this.worths = worths;
        usedAt = new double[models];
        worth = new double[models];
        lookedUp = new int[models];
        Arrays.fill(lookedUp, NOT_YET);
        cost = new double[providers * WAYS];
        costOf = new long[providers * WAYS];
        costAt = new int[providers * WAYS];
        Arrays.fill(costAt, NOT_YET);
    }

    /** The time of the decision about the model at that position. */
    void begin(int model) {
        for (int i = 0; i < usedAt.length; i++) {
            usedAt[i] = worths.usedAt(i);
        }
        needed(model, 0);
    }

    /** @param time seconds from the decision on */
    void needed(int i, double time) {
        now = time;
        usedAt[i] = time;
        step++;
    }

    /** Expected seconds if the model goes now. */
    double worth(int i) {
        if (lookedUp[i] != step) {
            lookedUp[i] = step;
            worth[i] = worths.seconds(i, now - usedAt[i]);
        }
        return worth[i];
    }

    private static int place(int provider, long mark) {
        return provider * WAYS + (int) (mark & WAYS - 1);
    }

    /** Whether it was worked out what room for the present need costs on a provider with that on it. */
    boolean knows(int provider, long mark) {
        int place = place(provider, mark);
        return costAt[place] == step && costOf[place] == mark;
    }

    double known(int provider, long mark) {
        return cost[place(provider, mark)];
    }

    void learn(int provider, long mark, double seconds) {
        int place = place(provider, mark);
        cost[place] = seconds;
        costOf[place] = mark;
        costAt[place] = step;
    }
}
