package dev.pitwall.engine.bench;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Figures;
import dev.pitwall.engine.sim.Simulator;
import dev.pitwall.engine.trace.Family;
import dev.pitwall.engine.trace.Scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Runs {@code pitwall}, the baselines and {@code offline} over drawn scenarios of every family, all in one run. */
public final class Benchmark {
    /** The rules that place on line and load what is asked for. */
    public static final List<Policies> BASELINES = List.of(Policies.LRU, Policies.LFU, Policies.LARGEST_FIRST,
            Policies.GDSF, Policies.LANDLORD, Policies.OLLAMA, Policies.KUBEMOOT);

    /** The seeds the policy's constants were chosen with, and those that were only looked at afterwards. */
    public enum Seeds {
        CHOSEN_WITH(0), VALIDATION(50);

        private final long first;

        Seeds(long first) {
            this.first = first;
        }

        LongStream some(int count) {
            return LongStream.range(first, first + count);
        }
    }

    /** What a policy came to over several scenarios. */
    public record Sum(double loadSeconds, double waitSeconds, long requests, long pinViolations, long interrupted) {
        private static final Sum NOTHING = new Sum(0, 0, 0, 0, 0);
        private static final double MS_PER_SECOND = 1000;

        private Sum plus(Figures f) {
            return new Sum(loadSeconds + f.loadSeconds(), waitSeconds + f.waitMeanMs() / MS_PER_SECOND * f.served(),
                    requests + f.requests(), pinViolations + f.pinViolations(), interrupted + f.interrupted());
        }

        private Sum plus(Sum s) {
            return new Sum(loadSeconds + s.loadSeconds, waitSeconds + s.waitSeconds, requests + s.requests,
                    pinViolations + s.pinViolations, interrupted + s.interrupted);
        }

        /** Mean over all requests. */
        public double waitSecondsEach() {
            return waitSeconds / requests;
        }
    }

    /** The sums of one family, or of all. */
    public record Row(String name, Map<Policies, Sum> sums) {
        public Row {
            sums = Map.copyOf(sums);
        }

        /** The baseline that loads least here. */
        public Policies best() {
            return BASELINES.stream().min(Comparator.comparingDouble(p -> sums.get(p).loadSeconds())).orElseThrow();
        }

        /** Its loading against another's. */
        public double loadRatio(Policies policy, Policies against) {
            return sums.get(policy).loadSeconds() / sums.get(against).loadSeconds();
        }

        public double waitRatio(Policies policy, Policies against) {
            return sums.get(policy).waitSecondsEach() / sums.get(against).waitSecondsEach();
        }
    }

    private Benchmark() {
    }

    /** One row a family, and last all together. */
    public static List<Row> run(Seeds seeds, int count) {
        List<Row> rows = new ArrayList<>();
        Map<Policies, Sum> all = new EnumMap<>(Policies.class);
        for (Family family : Family.values()) {
            Map<Policies, Sum> sums = new EnumMap<>(Policies.class);
            seeds.some(count).mapToObj(seed -> Scenario.of(family, seed)).forEach(s -> add(s, sums));
            sums.forEach((p, sum) -> all.merge(p, sum, Sum::plus));
            rows.add(new Row(family.text(), sums));
        }
        rows.add(new Row("all", all));
        return rows;
    }

    private static void add(Scenario scenario, Map<Policies, Sum> sums) {
        List<Policies> policies = new ArrayList<>(BASELINES);
        policies.add(Policies.OFFLINE);
        policies.add(Policies.PITWALL);
        for (Policies p : policies) {
            Fleet fleet = p.fleet(scenario.fleet());
            Figures f = new Simulator(fleet, p.create(fleet, scenario.trace())).run(scenario.trace());
            sums.merge(p, Sum.NOTHING.plus(f), Sum::plus);
        }
    }
}
