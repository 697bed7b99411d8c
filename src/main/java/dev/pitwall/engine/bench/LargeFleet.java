package dev.pitwall.engine.bench;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.ProviderSpec;
import dev.pitwall.engine.Request;
import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Figures;
import dev.pitwall.engine.sim.Simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A fleet far larger than any home has, to see that a decision stays quick: 1,000 providers, 2,000 models. */
public final class LargeFleet {
    private static final int PROVIDERS = 1000;
    private static final int MODELS = 2000;
    private static final double MEAN_GAP_SECONDS = 2;

    private LargeFleet() {
    }

    /** What {@code pitwall} comes to with so many requests. */
    public static Figures run(int requests) {
        SplittableRandom random = new SplittableRandom(1);
        List<ProviderSpec> providers = new ArrayList<>();
        for (int p = 0; p < PROVIDERS; p++) {
            providers.add(new ProviderSpec("p" + p, "n" + p, random.nextInt(8, 33) * 1024.0, 600,
                    random.nextInt(500, 2500), 2));
        }
        List<ModelSpec> models = new ArrayList<>();
        for (int m = 0; m < MODELS; m++) {
            models.add(new ModelSpec("m" + m, random.nextInt(1000, 20000), 128, 8192, 50));
        }
        List<Request> trace = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < requests; i++) {
            at -= MEAN_GAP_SECONDS * Math.log(1 - random.nextDouble());
            int model = (int) (MODELS * Math.pow(random.nextDouble(), 2));
            trace.add(new Request(i, model, at, 2 + 10 * random.nextDouble()));
        }
        Fleet fleet = new Fleet(providers, models, List.of());
        return new Simulator(fleet, Policies.PITWALL.create(fleet, List.of())).run(trace);
    }
}
