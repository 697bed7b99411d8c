package dev.pitwall.engine.policy;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Which models will be needed next, drawn many times from what was learned of each one's gaps. The first need of a model
 * falls into every part of its range once over all draws, so that a few draws tell as much as many would by chance.
 */
final class Futures {
    /** More draws tell ways apart better than longer ones do; both cost time. */
    private static final int DRAWS = 48;
    private static final int NEEDS = 40;

    private final Needs needs;
    /** Always begins alike: the same events give the same decisions. */
    private final SplittableRandom random = new SplittableRandom(1);

    Futures(Needs needs) {
        this.needs = needs;
    }

    /** Rows of positions in {@code models}, each in the order of time. */
    int[][] draw(int[] models, double now) {
        double[][] first = new double[DRAWS][models.length];
        int[] parts = new int[DRAWS];
        for (int i = 0; i < models.length; i++) {
            shuffle(parts);
            for (int draw = 0; draw < DRAWS; draw++) {
                first[draw][i] = needs.draw(models[i], now, (parts[draw] + random.nextDouble()) / DRAWS);
            }
        }
        int[][] rows = new int[DRAWS][];
        for (int draw = 0; draw < DRAWS; draw++) {
            rows[draw] = row(models, now, first[draw]);
        }
        return rows;
    }

    private void shuffle(int[] parts) {
        for (int i = 0; i < parts.length; i++) {
            int other = random.nextInt(i + 1);
            parts[i] = parts[other];
            parts[other] = i;
        }
    }

    private int[] row(int[] models, double now, double[] next) {
        int[] row = new int[NEEDS];
        for (int n = 0; n < NEEDS; n++) {
            int soonest = 0;
            for (int i = 1; i < next.length; i++) {
                if (next[i] < next[soonest]) {
                    soonest = i;
                }
            }
            if (next[soonest] == Double.POSITIVE_INFINITY) {
                return Arrays.copyOf(row, n);
            }
            row[n] = soonest;
            next[soonest] += needs.drawAfterUse(models[soonest], now, random.nextDouble());
        }
        return row;
    }
}
