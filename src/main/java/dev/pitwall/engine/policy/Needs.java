package dev.pitwall.engine.policy;

import java.util.Arrays;

/**
 * How soon a model will be needed, learned from the requests as they come. A need is a request after which the model
 * would have to be loaded had it gone: the first of a run, with a request for another model before it. The rest of the
 * run costs nothing more, so it does not count.
 */
final class Needs {
    /** Over which spans needs are counted, seconds: what holds today, and what held in the last hours. */
    private static final double[] MEMORY_SECONDS = {7200, 43200};
    /** A first need is not taken for more than one a minute. */
    private static final double SHORTEST_SPAN_SECONDS = 60;
    private static final int NONE = -1;

    private final double[][] counts;
    private final double[] countedAt;
    private final double[] lastAt;
    private final Gaps gaps;
    private double begun = Double.NaN;
    private int running = NONE;
    private long seen;

    Needs(int models) {
        counts = new double[models][MEMORY_SECONDS.length];
        countedAt = new double[models];
        lastAt = new double[models];
        Arrays.fill(lastAt, Double.NaN);
        gaps = new Gaps(models);
    }

    void arrived(int model, double now) {
        if (Double.isNaN(begun)) {
            begun = now;
        }
        if (model != running) {
            seen++;
            if (known(model)) {
                gaps.add(model, now - lastAt[model], rate(model, now));
            }
            for (int i = 0; i < MEMORY_SECONDS.length; i++) {
                counts[model][i] = faded(model, i, now) + 1;
            }
            countedAt[model] = now;
        }
        lastAt[model] = now;
        running = model;
    }

    /** Needs so far, of all models. */
    long seen() {
        return seen;
    }

    /** Whether it was ever asked for. */
    boolean known(int model) {
        return !Double.isNaN(lastAt[model]);
    }

    /** Needs per second, over the long run. */
    double rate(int model, double now) {
        double age = now - begun + SHORTEST_SPAN_SECONDS;
        double sum = 0;
        for (int i = 0; i < MEMORY_SECONDS.length; i++) {
            sum += faded(model, i, now) / (MEMORY_SECONDS[i] * (1 - Math.exp(-age / MEMORY_SECONDS[i])));
        }
        return sum / MEMORY_SECONDS.length;
    }

    private double faded(int model, int memory, double now) {
        return counts[model][memory] * Math.exp((countedAt[model] - now) / MEMORY_SECONDS[memory]);
    }

    /** How likely it is needed within so many seconds, 0 to 1. */
    double likelihood(int model, double now, double seconds) {
        double rate = known(model) ? rate(model, now) : 0;
        return rate <= 0 ? 0 : 1 - Math.exp(-gaps.expected(model, rate, now - lastAt[model], seconds));
    }

    /** All that can be said now of its next needs. */
    Outlook outlook(int model, double now) {
        double rate = known(model) ? rate(model, now) : 0;
        return rate <= 0 ? new Outlook(new double[Gaps.SPANS], 0) : new Outlook(gaps.hazards(model, rate), now - lastAt[model]);
    }
}
