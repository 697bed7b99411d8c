package dev.pitwall.engine.policy;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Request;

import java.util.List;
import java.util.stream.IntStream;

/** {@code offline}: knows the trace. What is needed soonest, by its load time, is worth most. */
final class Clairvoyant implements KeepValue {
    private final double[][] arrivals;
    private final int[] seen;

    Clairvoyant(Fleet fleet, List<Request> trace) {
        int[] counts = new int[fleet.models().size()];
        trace.forEach(r -> counts[r.model()]++);
        arrivals = IntStream.of(counts).mapToObj(double[]::new).toArray(double[][]::new);
        seen = new int[counts.length];
        int[] filled = new int[counts.length];
        trace.forEach(r -> arrivals[r.model()][filled[r.model()]++] = r.at());
    }

    @Override
    public double of(Placement placement, double now) {
        int model = placement.model().index();
        return seen[model] == arrivals[model].length ? 0
                : placement.loadSeconds() / (arrivals[model][seen[model]] - now);
    }

    @Override
    public void arrived(Model model, double now) {
        seen[model.index()]++;
    }
}
