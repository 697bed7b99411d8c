package dev.pitwall.engine.sim;

import dev.pitwall.engine.Hands.Cold;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Refusal;
import dev.pitwall.engine.Request;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Counts what happens in a simulation. */
final class Tally {
    private static final long BYTES_PER_MIB = 1 << 20;
    private static final double NANOS_PER_MICRO = 1000;

    private final String policy;
    private final Samples waits = new Samples();
    private final Samples decisions = new Samples();
    private final Map<String, Long> refused = new TreeMap<>();
    private long requests;
    private long coldStarts;
    private double loadSeconds;
    private double waitSeconds;
    private double mibLoaded;
    private long evictions;
    private long pinViolations;
    private long interrupted;

    Tally(String policy) {
        this.policy = policy;
    }

    double loadSeconds() {
        return loadSeconds;
    }

    double waitSeconds() {
        return waitSeconds;
    }

    void request() {
        requests++;
    }

    void loads(Placement placement) {
        loadSeconds += placement.loadSeconds();
        mibLoaded += placement.model().spec().weightsMiB();
    }

    void evicts(Placement placement) {
        evictions++;
        drops(placement);
    }

    void drops(Placement placement) {
        pinViolations += placement.pinned() ? 1 : 0;
        interrupted += placement.requests();
    }

    void serves(Request request, double now, Cold cold) {
        waits.add(now - request.at());
        waitSeconds += now - request.at();
        coldStarts += cold == Cold.COLD ? 1 : 0;
    }

    void refuses(Refusal refusal) {
        refused.merge(refusal.wireName(), 1L, Long::sum);
    }

    void leftOver(int waiting) {
        if (waiting > 0) {
            refused.merge(Refusal.PINNED_OUT.wireName(), (long) waiting, Long::sum);
        }
    }

    void decision(long nanos) {
        decisions.add(nanos);
    }

    Figures figures() {
        return new Figures(policy, requests, waits.size(), coldStarts, loadSeconds, Math.round(mibLoaded * BYTES_PER_MIB), evictions,
                waits.mean() * 1000, waits.quantile(0.5) * 1000, waits.quantile(0.95) * 1000, waits.quantile(1) * 1000,
                refused, pinViolations, interrupted, decisions.quantile(0.99) / NANOS_PER_MICRO);
    }

    /** A growing list of numbers. */
    private static final class Samples {
        private double[] values = new double[1024];
        private int size;

        void add(double value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }

        int size() {
            return size;
        }

        double mean() {
            return size == 0 ? 0 : Arrays.stream(values, 0, size).sum() / size;
        }

        /** The smallest value that so large a part does not exceed; 0 if there is none. */
        double quantile(double part) {
            double[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return size == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(part * size) - 1)];
        }
    }
}
