package dev.pitwall.engine.policy;

import dev.pitwall.engine.Placement;

import java.util.Arrays;

/**
 * One way to decide, played through: what is where after it, as needs come. Sheets that have come to hold the same stay
 * the same from there on, whatever is needed, and their {@link #mark} tells.
 */
final class Sheet {
    private static final int NOWHERE = Layout.NOWHERE;
    /**
     * How much it counts that a load into free room is slower than the fastest. Half: it is paid once, while a card that
     * is left empty makes the others change places; but what comes and goes pays it each time.
     */
    private static final double ONCE = 0.5;

    private final Layout layout;
    private final Moment moment;
    private final double[] freeAtFirst;
    private final int[] atFirst;
    private final double[] free;
    private final int[] at;
    private final int[][] there;
    private final int[] count;
    private final boolean[] goes;
    private final double[] worth;
    private final double[] density;
    /** What is on each provider, in a number. */
    private final long[] marks;
    private long mark;
    private double seconds;

    /** @param way what is decided about the model at that position */
    Sheet(Layout layout, Moment moment, int model, Foresight.Way way) {
        this.layout = layout;
        this.moment = moment;
        int provider = way.provider().index();
        freeAtFirst = layout.free.clone();
        atFirst = layout.at.clone();
        for (Placement victim : way.victims()) {
            int i = layout.position(victim.model());
            if (atFirst[i] == provider) {
                atFirst[i] = NOWHERE;
                freeAtFirst[provider] += victim.needMiB();
            }
        }
        atFirst[model] = provider;
        freeAtFirst[provider] -= layout.need[provider][model];
        free = new double[freeAtFirst.length];
        at = new int[atFirst.length];
        there = new int[free.length][at.length];
        count = new int[free.length];
        goes = new boolean[at.length];
        worth = new double[at.length];
        density = new double[at.length];
        marks = new long[free.length];
    }

    /** As it is just after the decision. */
    void begin() {
        System.arraycopy(freeAtFirst, 0, free, 0, free.length);
        Arrays.fill(count, 0);
        Arrays.fill(at, NOWHERE);
        mark = 0;
        Arrays.fill(marks, 0);
        seconds = 0;
        for (int i = 0; i < at.length; i++) {
            if (atFirst[i] != NOWHERE && !layout.pinned[i]) {
                come(i, atFirst[i]);
            } else {
                at[i] = atFirst[i];
            }
        }
    }

    private void come(int i, int provider) {
        at[i] = provider;
        there[provider][count[provider]++] = i;
        turn(layout.marks[provider][i], provider);
    }

    /** Off its provider, but for the list there. */
    private void leave(int i, int provider) {
        at[i] = NOWHERE;
        free[provider] += layout.need[provider][i];
        turn(layout.marks[provider][i], provider);
    }

    private void turn(long bits, int provider) {
        mark ^= bits;
        marks[provider] ^= bits;
    }

    /** The same for sheets that hold the same. */
    long mark() {
        return mark;
    }

    /** Seconds of loading since the beginning. */
    double seconds() {
        return seconds;
    }

    /** A need of the i-th model, at the time of the {@link Moment}. @return whether anything had to change for it */
    boolean needs(int i) {
        if (at[i] != NOWHERE) {
            return false;
        }
        int best = NOWHERE;
        double least = Double.POSITIVE_INFINITY;
        for (int p = 0; p < free.length; p++) {
            double cost = layout.need[p][i] <= layout.most[p] ? cost(p, i, least) : Double.POSITIVE_INFINITY;
            if (cost < least) {
                least = cost;
                best = p;
            }
        }
        if (best == NOWHERE) {
            return false;
        }
        clear(best, i);
        come(i, best);
        free[best] -= layout.need[best][i];
        seconds += layout.load[best][i];
        return true;
    }

    private double cost(int provider, int i, double least) {
        double load = layout.load[provider][i];
        if (layout.need[provider][i] <= free[provider]) {
            return layout.fastest[i] + ONCE * (load - layout.fastest[i]);
        }
        if (load >= least) {
            return Double.POSITIVE_INFINITY;
        }
        if (!moment.knows(provider, marks[provider])) {
            moment.learn(provider, marks[provider], choose(provider, i));
        }
        return load + moment.known(provider, marks[provider]);
    }

    /** Marks who goes, by worth for their size; who need not go is spared, the dearest first. @return what that costs */
    private double choose(int provider, int i) {
        int[] here = there[provider];
        int size = count[provider];
        for (int k = 0; k < size; k++) {
            worth[k] = moment.worth(here[k]);
            density[k] = worth[k] / layout.need[provider][here[k]];
            goes[k] = false;
        }
        double over = free[provider] - layout.need[provider][i];
        double cost = 0;
        while (over < 0) {
            int next = NOWHERE;
            double least = Double.POSITIVE_INFINITY;
            for (int k = 0; k < size; k++) {
                if (!goes[k] && density[k] < least) {
                    least = density[k];
                    next = k;
                }
            }
            if (next == NOWHERE) {
                return Double.POSITIVE_INFINITY;
            }
            goes[next] = true;
            over += layout.need[provider][here[next]];
            cost += worth[next];
        }
        return cost - spare(provider, over);
    }

    private double spare(int provider, double room) {
        int[] here = there[provider];
        double over = room;
        double spared = 0;
        while (true) {
            int next = NOWHERE;
            for (int k = 0; k < count[provider]; k++) {
                if (goes[k] && layout.need[provider][here[k]] <= over && (next == NOWHERE || worth[k] > worth[next])) {
                    next = k;
                }
            }
            if (next == NOWHERE) {
                return spared;
            }
            goes[next] = false;
            over -= layout.need[provider][here[next]];
            spared += worth[next];
        }
    }

    private void clear(int provider, int i) {
        if (layout.need[provider][i] <= free[provider]) {
            return;
        }
        choose(provider, i);
        int kept = 0;
        for (int k = 0; k < count[provider]; k++) {
            int j = there[provider][k];
            if (goes[k]) {
                leave(j, provider);
            } else {
                there[provider][kept++] = j;
            }
        }
        count[provider] = kept;
    }

    /** What all that is there and may go is worth together, seconds. */
    double worth() {
        double sum = 0;
        for (int p = 0; p < count.length; p++) {
            for (int k = 0; k < count[p]; k++) {
                sum += moment.worth(there[p][k]);
            }
        }
        return sum;
    }
}
