package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Provider;

import java.util.Arrays;
import java.util.List;

/**
 * What is where, on paper: a copy of the board in plain arrays on which needs can be played through. Work is left out: all
 * that is not pinned may go. A model counts once; what else there is of it may be overwritten.
 */
final class Layout {
    private static final int NOWHERE = -1;
    /**
     * How much it counts that a load into free room is slower than the fastest. Half: it is paid once, while a card that
     * is left empty makes the others change places; but what comes and goes pays it each time.
     */
    private static final double ONCE = 0.5;

    private final int[] models;
    private final double[][] need;
    private final double[][] load;
    private final double[] most;
    private final double[] fastest;
    private final boolean[] pinned;
    private final Worths worths;
    private final double[] freeAtFirst;
    private final int[] atFirst;

    private final double[] free;
    private final int[] at;
    private final double[] worth;
    private final double[] usedAt;
    private double now;
    private final int[][] there;
    private final int[] count;
    private final boolean[] goes;

    /**
     * @param models numbers of the models that matter
     * @param worths what they are worth, by their positions in {@code models}
     */
    Layout(Board board, int[] models, Worths worths) {
        int providers = board.providers().size();
        this.models = models;
        this.worths = worths;
        need = new double[providers][models.length];
        load = new double[providers][models.length];
        most = new double[providers];
        freeAtFirst = new double[providers];
        fastest = new double[models.length];
        pinned = new boolean[models.length];
        atFirst = new int[models.length];
        Arrays.fill(fastest, Double.POSITIVE_INFINITY);
        board.providers().forEach(p -> measure(p, board));
        for (int i = 0; i < models.length; i++) {
            atFirst[i] = settle(board.models().get(models[i]), i);
        }
        free = new double[providers];
        at = new int[models.length];
        worth = new double[models.length];
        usedAt = new double[models.length];
        there = new int[providers][models.length];
        count = new int[providers];
        goes = new boolean[models.length];
    }

    private void measure(Provider provider, Board board) {
        int p = provider.index();
        most[p] = provider.held() ? 0 : provider.mostMiB();
        freeAtFirst[p] = provider.freeMiB();
        for (int i = 0; i < models.length; i++) {
            Model model = board.models().get(models[i]);
            need[p][i] = provider.needMiB(model);
            load[p][i] = provider.spec().loadSeconds(model.spec());
            if (need[p][i] <= most[p]) {
                fastest[i] = Math.min(fastest[i], load[p][i]);
            }
        }
    }

    /** Where it is: where it is pinned, else in the first place; the room of others of its placements is taken as free. */
    private int settle(Model model, int i) {
        int where = NOWHERE;
        for (Placement p : model.placements()) {
            pinned[i] |= p.pinned();
            if (where == NOWHERE || p.pinned()) {
                where = p.provider().index();
            }
        }
        for (Placement p : model.placements()) {
            freeAtFirst[p.provider().index()] += p.provider().index() == where || p.pinned() ? 0 : p.needMiB();
        }
        return where;
    }

    /** As it is on the board, but with the model on that provider and without the victims. */
    void begin(int model, Provider provider, List<Placement> victims) {
        System.arraycopy(atFirst, 0, at, 0, at.length);
        System.arraycopy(freeAtFirst, 0, free, 0, free.length);
        for (int i = 0; i < usedAt.length; i++) {
            usedAt[i] = worths.usedAt(i);
        }
        now = 0;
        for (Placement victim : victims) {
            int i = Arrays.binarySearch(models, victim.model().index());
            if (at[i] == victim.provider().index()) {
                at[i] = NOWHERE;
                free[victim.provider().index()] += victim.needMiB();
            }
        }
        Arrays.fill(count, 0);
        for (int i = 0; i < at.length; i++) {
            if (at[i] != NOWHERE && !pinned[i]) {
                there[at[i]][count[at[i]]++] = i;
            }
        }
        put(Arrays.binarySearch(models, model), provider.index());
    }

    private void put(int i, int provider) {
        at[i] = provider;
        free[provider] -= need[provider][i];
        there[provider][count[provider]++] = i;
        usedAt[i] = now;
    }

    /**
     * A need of the i-th model.
     *
     * @param time seconds from the decision on, never before the last
     * @return seconds of loading that it costs
     */
    double needs(int i, double time) {
        now = time;
        usedAt[i] = time;
        if (at[i] != NOWHERE) {
            return 0;
        }
        value();
        int best = NOWHERE;
        double least = Double.POSITIVE_INFINITY;
        for (int p = 0; p < free.length; p++) {
            double cost = need[p][i] <= most[p] ? cost(p, i, least) : Double.POSITIVE_INFINITY;
            if (cost < least) {
                least = cost;
                best = p;
            }
        }
        if (best == NOWHERE) {
            return 0;
        }
        clear(best, i);
        put(i, best);
        return load[best][i];
    }

    /** What each that is there is worth now. */
    private void value() {
        for (int p = 0; p < count.length; p++) {
            for (int k = 0; k < count[p]; k++) {
                int i = there[p][k];
                worth[i] = worths.seconds(i, now - usedAt[i]);
            }
        }
    }

    private double cost(int provider, int i, double least) {
        if (need[provider][i] <= free[provider]) {
            return fastest[i] + ONCE * (load[provider][i] - fastest[i]);
        }
        return load[provider][i] >= least ? Double.POSITIVE_INFINITY : load[provider][i] + choose(provider, i);
    }

    /** Marks who goes, by worth for their size; who need not go is spared, the dearest first. @return what that costs */
    private double choose(int provider, int i) {
        int[] here = there[provider];
        double over = free[provider] - need[provider][i];
        double cost = 0;
        for (int k = 0; k < count[provider]; k++) {
            goes[here[k]] = false;
        }
        while (over < 0) {
            int next = NOWHERE;
            double least = Double.POSITIVE_INFINITY;
            for (int k = 0; k < count[provider]; k++) {
                int j = here[k];
                if (!goes[j] && worth[j] / need[provider][j] < least) {
                    least = worth[j] / need[provider][j];
                    next = j;
                }
            }
            if (next == NOWHERE) {
                return Double.POSITIVE_INFINITY;
            }
            goes[next] = true;
            over += need[provider][next];
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
                int j = here[k];
                if (goes[j] && need[provider][j] <= over && (next == NOWHERE || worth[j] > worth[next])) {
                    next = j;
                }
            }
            if (next == NOWHERE) {
                return spared;
            }
            goes[next] = false;
            over -= need[provider][next];
            spared += worth[next];
        }
    }

    private void clear(int provider, int i) {
        if (need[provider][i] <= free[provider]) {
            return;
        }
        choose(provider, i);
        int kept = 0;
        for (int k = 0; k < count[provider]; k++) {
            int j = there[provider][k];
            if (goes[j]) {
                at[j] = NOWHERE;
                free[provider] += need[provider][j];
            } else {
                there[provider][kept++] = j;
            }
        }
        count[provider] = kept;
    }

    /** What all that is there and may go is worth together, seconds. */
    double worth() {
        value();
        double sum = 0;
        for (int p = 0; p < count.length; p++) {
            for (int k = 0; k < count[p]; k++) {
                sum += worth[there[p][k]];
            }
        }
        return sum;
    }
}
