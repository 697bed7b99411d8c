package dev.pitwall.engine.bench;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.ProviderSpec;
import dev.pitwall.engine.Request;
import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Figures;
import dev.pitwall.engine.sim.Simulator;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Six cards of which each is nearly always wanted by somebody else: 30 models that need about four times the memory there
 * is, and lines that wait at most times. Here a decision is dearest, as futures are played through for each, and loads
 * that were put off are asked for again and again.
 */
public final class SaturatedFleet {
    private static final int MODELS = 30;
    private static final double MEAN_GAP_SECONDS = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    /** @param seconds of a processor for the whole simulation, whatever else the computer does */
    public record Run(Figures figures, double seconds) {
    }

    private SaturatedFleet() {
    }

    /** What {@code pitwall} comes to with so many requests. */
    public static Run run(int requests) {
        SplittableRandom random = new SplittableRandom(1);
        List<ModelSpec> models = new ArrayList<>();
        for (int m = 0; m < MODELS; m++) {
            models.add(new ModelSpec("m" + m, random.nextInt(1000, 14000), 128, 8192, 50));
        }
        Fleet fleet = new Fleet(List.of(card("a", 32607, 2400), card("b", 24564, 1100), card("c", 24576, 1000),
                card("d", 16376, 1300), card("e", 12288, 800), card("f", 8188, 550)), models, List.of());
        List<Request> trace = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < requests; i++) {
            at -= MEAN_GAP_SECONDS * Math.log(1 - random.nextDouble());
            int model = (int) (MODELS * Math.pow(random.nextDouble(), 1.5));
            trace.add(new Request(i, model, at, 2 + 10 * random.nextDouble()));
        }
        long begun = processorNanos();
        Figures figures = new Simulator(fleet, Policies.PITWALL.create(fleet, List.of())).run(trace);
        return new Run(figures, (processorNanos() - begun) / NANOS_PER_SECOND);
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static ProviderSpec card(String id, double vramMiB, double loadMiBPerSecond) {
        return new ProviderSpec(id, "n" + id, vramMiB, 600, loadMiBPerSecond, 2);
    }
}
