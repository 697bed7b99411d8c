package dev.pitwall.engine.bench;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.ProviderSpec;
import dev.pitwall.engine.Request;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The least loading with which a small trace can be served in its order, found by going through all that could be loaded
 * and driven out at each request. It knows the future and takes service as instantaneous, so it is a bound for all who
 * serve requests in order; who lets requests wait and serves them together may come below it.
 */
public final class ExactSearch {
    /** What is where: for each model the provider it is on, counted from 1, in two bits; 0 is nowhere. */
    private static final int BITS = 2;
    private static final int MASK = (1 << BITS) - 1;
    private static final int MOST_PROVIDERS = 3;
    private static final int MOST_MODELS = 8;

    private final Fleet fleet;

    /** @param fleet at most three providers and eight models, without pins */
    public ExactSearch(Fleet fleet) {
        if (fleet.providers().size() > MOST_PROVIDERS || fleet.models().size() > MOST_MODELS || !fleet.pins().isEmpty()) {
            throw new IllegalArgumentException("too large a fleet for an exact search, or one with pins");
        }
        this.fleet = fleet;
    }

    /** Seconds of loading. @param trace of models that each fit a provider */
    public double leastLoadSeconds(List<Request> trace) {
        Map<Integer, Double> reached = Map.of(0, 0.0);
        for (Request request : trace) {
            Map<Integer, Double> next = new HashMap<>();
            reached.forEach((state, cost) -> serve(request.model(), state, cost, next));
            reached = next;
        }
        return reached.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
    }

    private void serve(int model, int state, double cost, Map<Integer, Double> next) {
        if (where(state, model) != 0) {
            next.merge(state, cost, Math::min);
            return;
        }
        ModelSpec spec = fleet.models().get(model);
        for (int p = 0; p < fleet.providers().size(); p++) {
            ProviderSpec provider = fleet.providers().get(p);
            double missing = used(state, p) + provider.needMiB(spec) - provider.capacityMiB();
            for (int without : victims(state, p, missing)) {
                if (provider.needMiB(spec) <= provider.capacityMiB()) {
                    next.merge(without | (p + 1) << BITS * model, cost + provider.loadSeconds(spec), Math::min);
                }
            }
        }
    }

    private static int where(int state, int model) {
        return state >> BITS * model & MASK;
    }

    private double used(int state, int provider) {
        double used = 0;
        for (int m = 0; m < fleet.models().size(); m++) {
            used += where(state, m) == provider + 1
                    ? fleet.providers().get(provider).needMiB(fleet.models().get(m)) : 0;
        }
        return used;
    }

    /** The states left by each smallest set of victims that makes enough room. */
    private List<Integer> victims(int state, int provider, double missing) {
        List<Integer> there = new ArrayList<>();
        for (int m = 0; m < fleet.models().size(); m++) {
            if (where(state, m) == provider + 1) {
                there.add(m);
            }
        }
        List<Integer> left = new ArrayList<>();
        for (int set = 0; set < 1 << there.size(); set++) {
            double room = 0;
            double smallest = Double.POSITIVE_INFINITY;
            int without = state;
            for (int i = 0; i < there.size(); i++) {
                if ((set >> i & 1) != 0) {
                    double need = fleet.providers().get(provider).needMiB(fleet.models().get(there.get(i)));
                    room += need;
                    smallest = Math.min(smallest, need);
                    without &= ~(MASK << BITS * there.get(i));
                }
            }
            if (room >= missing && (set == 0 || room - smallest < missing)) {
                left.add(without);
            }
        }
        return left;
    }
}
