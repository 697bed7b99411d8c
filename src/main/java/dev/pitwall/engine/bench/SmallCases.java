package dev.pitwall.engine.bench;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.ProviderSpec;
import dev.pitwall.engine.Request;
import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Simulator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Random cases small enough for {@link ExactSearch}: two cards, six models, 150 requests that are far enough apart for
 * none to wait for another, so that nothing can be gained by waiting.
 */
public final class SmallCases {
    private static final int MODELS = 6;
    private static final int REQUESTS = 150;
    private static final double APART_SECONDS = 120;
    private static final double STAY = 0.5;

    private SmallCases() {
    }

    /** Loading of each policy over the least possible, summed over so many cases. */
    public static Map<Policies, Double> overLeast(int cases) {
        Map<Policies, Double> sums = new EnumMap<>(Policies.class);
        double least = 0;
        List<Policies> policies = new ArrayList<>(Benchmark.BASELINES);
        policies.add(Policies.OFFLINE);
        policies.add(Policies.PITWALL);
        for (int seed = 0; seed < cases; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Fleet fleet = fleet(random);
            List<Request> trace = trace(random);
            least += new ExactSearch(fleet).leastLoadSeconds(trace);
            for (Policies p : policies) {
                sums.merge(p, new Simulator(fleet, p.create(fleet, trace)).run(trace).loadSeconds(), Double::sum);
            }
        }
        double bound = least;
        sums.replaceAll((p, sum) -> sum / bound);
        return sums;
    }

    private static Fleet fleet(SplittableRandom random) {
        List<ModelSpec> models = new ArrayList<>();
        for (int m = 0; m < MODELS; m++) {
            models.add(new ModelSpec("m" + m, random.nextInt(2000, 9000), 0, 0, 50));
        }
        return new Fleet(List.of(new ProviderSpec("a", "n", random.nextInt(9000, 14000), 0, 550, 1),
                new ProviderSpec("b", "n", random.nextInt(9000, 14000), 0, 1100, 1)), models, List.of());
    }

    private static List<Request> trace(SplittableRandom random) {
        List<Request> trace = new ArrayList<>();
        int model = 0;
        for (int i = 0; i < REQUESTS; i++) {
            if (random.nextDouble() > STAY) {
                model = Math.min(random.nextInt(MODELS), random.nextInt(MODELS));
            }
            trace.add(new Request(i, model, i * APART_SECONDS, 2));
        }
        return trace;
    }
}
