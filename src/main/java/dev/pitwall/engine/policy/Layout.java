package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Provider;

import java.util.Arrays;

/**
 * What is where at a decision, and what each model needs and costs on each provider: the board in plain arrays, from which
 * each {@link Sheet} begins. Work is left out: all that is not pinned may go. A model counts once; what else there is of
 * it may be overwritten.
 */
final class Layout {
    static final int NOWHERE = -1;

    private final int[] models;
    final double[][] need;
    final double[][] load;
    /** MiB that each provider could have free. */
    final double[] most;
    /** Seconds that each model takes to load where that is quickest. */
    final double[] fastest;
    final boolean[] pinned;
    final double[] free;
    final int[] at;
    /** A number for each model on each provider; two sums of them hardly ever meet. */
    final long[][] marks;

    /** @param models numbers of the models that matter, in rising order */
    Layout(Board board, int[] models) {
        int providers = board.providers().size();
        this.models = models;
        need = new double[providers][models.length];
        load = new double[providers][models.length];
        marks = new long[providers][models.length];
        most = new double[providers];
        free = new double[providers];
        fastest = new double[models.length];
        pinned = new boolean[models.length];
        at = new int[models.length];
        Arrays.fill(fastest, Double.POSITIVE_INFINITY);
        board.providers().forEach(p -> measure(p, board));
        for (int i = 0; i < models.length; i++) {
            at[i] = settle(board.models().get(models[i]), i);
        }
    }

    private void measure(Provider provider, Board board) {
        int p = provider.index();
        most[p] = provider.held() ? 0 : provider.mostMiB();
        free[p] = provider.freeMiB();
        for (int i = 0; i < models.length; i++) {
            Model model = board.models().get(models[i]);
            need[p][i] = provider.needMiB(model);
            load[p][i] = provider.spec().loadSeconds(model.spec());
            marks[p][i] = mark((long) models.length * p + i);
            if (need[p][i] <= most[p]) {
                fastest[i] = Math.min(fastest[i], load[p][i]);
            }
        }
    }

    /** Source of the steps: SplitMix64. */
    private static long mark(long number) {
        long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
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
            free[p.provider().index()] += p.provider().index() == where || p.pinned() ? 0 : p.needMiB();
        }
        return where;
    }

    /** The position of a model in all arrays, by its number. */
    int position(Model model) {
        return Arrays.binarySearch(models, model.index());
    }

    int size() {
        return models.length;
    }
}
