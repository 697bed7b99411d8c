package dev.pitwall.engine.policy;

import dev.pitwall.engine.Placement;

import java.util.Arrays;

/** How long requests are in service, by model: a mean that forgets slowly. */
final class Services {
    private static final double FIRST_GUESS_SECONDS = 5;
    private static final double MEMORY = 200;
    /** A service that is under way is on average half done; long ones are met more often. */
    private static final double REST = 0.6;

    private final double[] mean;
    private final long[] seen;

    Services(int models) {
        mean = new double[models];
        seen = new long[models];
        Arrays.fill(mean, FIRST_GUESS_SECONDS);
    }

    void served(int model, double seconds) {
        seen[model]++;
        mean[model] += (seconds - mean[model]) / Math.min(seen[model], MEMORY);
    }

    double seconds(int model) {
        return mean[model];
    }

    /** Seconds until a placement has done all it has now. */
    double workSeconds(Placement placement) {
        double one = mean[placement.model().index()];
        double queue = one * placement.queued() / placement.provider().spec().maxParallel();
        return switch (placement.state()) {
            case LOADING -> placement.loadSeconds() + one + queue;
            case READY, UNLOADING -> REST * one + queue;
        };
    }
}
