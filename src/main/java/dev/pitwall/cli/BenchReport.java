package dev.pitwall.cli;

import dev.pitwall.engine.bench.Benchmark;
import dev.pitwall.engine.bench.Benchmark.Row;
import dev.pitwall.engine.bench.LargeFleet;
import dev.pitwall.engine.bench.SaturatedFleet;
import dev.pitwall.engine.bench.SmallCases;
import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Figures;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code pitwall simulate --bench} prints; docs/benchmarks.md is made from it. */
final class BenchReport {
    private static final int SMALL_CASES = 40;
    private static final int LARGE_REQUESTS = 4000;
    private static final int SATURATED_REQUESTS = 20_000;

    private final int seeds;

    /** @param seeds traces of each kind */
    BenchReport(int seeds) {
        this.seeds = seeds;
    }

    /** A row a family: the best baseline there, and pitwall against it, against the best of all, and against offline. */
    String families(Benchmark.Seeds kind) {
        List<Row> rows = Benchmark.run(kind, seeds);
        Policies overall = rows.getLast().best();
        StringBuilder out = new StringBuilder("\n%d traces a kind, seeds %s; the baseline that loads least in all is %s%n"
                .formatted(seeds, switch (kind) {
                    case CHOSEN_WITH -> "the constants were chosen with";
                    case VALIDATION -> "for validation";
                }, overall.wireName()));
        out.append("%-28s %-14s %9s %9s | %-21s | %-21s | %s%n".formatted("kind", "best there", "its load", "its wait",
                "load against: it, " + overall.wireName(), "wait against: it, " + overall.wireName(), "load against offline"));
        rows.forEach(r -> out.append(row(r, overall)));
        return out.toString();
    }

    private static String row(Row row, Policies overall) {
        Policies best = row.best();
        Policies own = Policies.PITWALL;
        Benchmark.Sum sum = row.sums().get(own);
        String line = String.format(Locale.ROOT, "%-28s %-14s %7.0f s %7.2f s |     %8.3f %8.3f |     %8.3f %8.3f | %8.3f",
                row.name(), best.wireName(), row.sums().get(best).loadSeconds(), row.sums().get(best).waitSecondsEach(),
                row.loadRatio(own, best), row.loadRatio(own, overall), row.waitRatio(own, best),
                row.waitRatio(own, overall), row.loadRatio(own, Policies.OFFLINE));
        return line + (sum.pinViolations() + sum.interrupted() == 0 ? "\n" : "  pins broken or requests interrupted\n");
    }

    String smallCases() {
        Map<Policies, Double> over = SmallCases.overLeast(SMALL_CASES);
        StringBuilder out = new StringBuilder("\nLoading over the least possible, " + SMALL_CASES + " small cases\n");
        over.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.naturalOrder())).forEach(e -> out.append(
                String.format(Locale.ROOT, "%-14s %6.3f%n", e.getKey().wireName(), e.getValue())));
        return out.toString();
    }

    String largeFleet() {
        Figures f = LargeFleet.run(LARGE_REQUESTS);
        return String.format(Locale.ROOT, "%n1,000 providers, 2,000 models, %d requests: 99 of 100 decisions take less than %.0f µs%n",
                f.requests(), f.decideP99Micros());
    }

    String saturatedFleet() {
        SaturatedFleet.Run run = SaturatedFleet.run(SATURATED_REQUESTS);
        return String.format(Locale.ROOT,
                "%n6 saturated cards, 30 models, %d requests: 99 of 100 decisions take less than %.0f µs, all of it %.0f s of a processor%n",
                run.figures().requests(), run.figures().decideP99Micros(), run.seconds());
    }
}
