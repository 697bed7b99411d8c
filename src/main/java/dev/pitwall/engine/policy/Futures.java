package dev.pitwall.engine.policy;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Which models will be needed next, drawn many times from what was learned of each one's gaps. The first need of a model
 * falls into every part of its range once over all draws, so that a few draws tell as much as many would by chance.
 */
final class Futures {
    /** Needs of one future. */
    private static final int NEEDS = 60;

    /**
     * Needs in the order of time.
     *
     * @param models their positions in what was drawn from
     * @param at     seconds from the decision on
     */
    record Future(int[] models, double[] at) {
    }

    /** Always begins alike: the same events give the same decisions. */
    private final SplittableRandom random = new SplittableRandom(1);

    /** @param waits for which of them requests wait now, so that they are needed at once */
    Future[] draw(Outlook[] outlooks, boolean[] waits, int draws) {
        double[][] first = new double[draws][outlooks.length];
        int[] parts = new int[draws];
        for (int i = 0; i < outlooks.length; i++) {
            if (!waits[i]) {
                shuffle(parts);
                for (int draw = 0; draw < draws; draw++) {
                    first[draw][i] = outlooks[i].until(outlooks[i].idleSeconds(), needs((parts[draw] + random.nextDouble()) / draws));
                }
            }
        }
        return Arrays.stream(first).map(next -> future(outlooks, next)).toArray(Future[]::new);
    }

    /** Expected needs by which the first has come with that likelihood. */
    private static double needs(double likelihood) {
        return -Math.log1p(-likelihood);
    }

    private void shuffle(int[] parts) {
        for (int i = 0; i < parts.length; i++) {
            int other = random.nextInt(i + 1);
            parts[i] = parts[other];
            parts[other] = i;
        }
    }

    private Future future(Outlook[] outlooks, double[] next) {
        Soonest soonest = new Soonest(next);
        int[] models = new int[NEEDS];
        double[] at = new double[NEEDS];
        for (int n = 0; n < NEEDS; n++) {
            int model = soonest.first();
            if (next[model] == Double.POSITIVE_INFINITY) {
                return new Future(Arrays.copyOf(models, n), Arrays.copyOf(at, n));
            }
            models[n] = model;
            at[n] = next[model];
            soonest.firstLater(next[model] + outlooks[model].until(0, needs(random.nextDouble())));
        }
        return new Future(models, at);
    }
}
