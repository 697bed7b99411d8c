package dev.pitwall.engine.policy;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.ProviderSpec;

/** What a model takes and costs, on average over the providers it fits. */
final class Sizes {
    private final double[] needMiB;
    private final double[] loadSeconds;

    Sizes(Fleet fleet) {
        needMiB = new double[fleet.models().size()];
        loadSeconds = new double[fleet.models().size()];
        for (int m = 0; m < needMiB.length; m++) {
            ModelSpec model = fleet.models().get(m);
            int fit = 0;
            for (ProviderSpec p : fleet.providers()) {
                if (p.needMiB(model) <= p.capacityMiB()) {
                    fit++;
                    needMiB[m] += p.needMiB(model);
                    loadSeconds[m] += p.loadSeconds(model);
                }
            }
            needMiB[m] /= Math.max(1, fit);
            loadSeconds[m] /= Math.max(1, fit);
        }
    }

    double needMiB(int model) {
        return needMiB[model];
    }

    /** Seconds a load takes, wherever it will be. */
    double loadSeconds(int model) {
        return loadSeconds[model];
    }
}
