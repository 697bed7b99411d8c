package dev.pitwall.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.engine.sim.Figures;

import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What {@code pitwall simulate} prints: one row a policy. */
final class SimulateReport {
    private static final double GIB = 1L << 30;
    private static final double MS_PER_SECOND = 1000;

    private final List<Figures> figures;

    SimulateReport(List<Figures> figures) {
        this.figures = List.copyOf(figures);
    }

    ObjectNode json() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode policies = document.putArray("policies");
        figures.forEach(f -> policies.add(json(f)));
        return document;
    }

    private static ObjectNode json(Figures f) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("policy", f.policy()).put("requests", f.requests()).put("coldStarts", f.coldStarts())
                .put("loadSeconds", rounded(f.loadSeconds())).put("bytesLoaded", f.bytesLoaded())
                .put("evictions", f.evictions()).put("waitMeanMs", rounded(f.waitMeanMs()))
                .put("waitP50Ms", rounded(f.waitP50Ms())).put("waitP95Ms", rounded(f.waitP95Ms()))
                .put("waitMaxMs", rounded(f.waitMaxMs()));
        ObjectNode refused = node.putObject("refused");
        new TreeMap<>(f.refused()).forEach(refused::put);
        return node.put("pinViolations", f.pinViolations()).put("interrupted", f.interrupted())
                .put("decideP99Micros", rounded(f.decideP99Micros()));
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append(row("policy", "requests", "cold", "loading s", "GiB", "evictions", "wait mean", "p50", "p95", "decide p99",
                "refused"));
        figures.forEach(f -> out.append(row(f.policy(), f.requests(), f.coldStarts(), decimals(1, f.loadSeconds()),
                decimals(1, f.bytesLoaded() / GIB), f.evictions(), seconds(f.waitMeanMs()), seconds(f.waitP50Ms()),
                seconds(f.waitP95Ms()), decimals(0, f.decideP99Micros()) + " µs", refused(f))));
        figures.stream().filter(f -> f.pinViolations() + f.interrupted() > 0).forEach(f -> out.append(f.policy()).append(": ")
                .append(f.pinViolations()).append(" pins broken, ").append(f.interrupted()).append(" requests interrupted\n"));
        return out.toString();
    }

    private static String row(Object... cells) {
        return "%-14s %9s %7s %10s %8s %9s %10s %8s %8s %10s  %s".formatted(cells).stripTrailing() + "\n";
    }

    private static String decimals(int digits, double value) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private static String seconds(double ms) {
        return decimals(2, ms / MS_PER_SECOND) + " s";
    }

    private static String refused(Figures f) {
        return f.refused().isEmpty() ? "none" : new TreeMap<>(f.refused()).entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey()).collect(Collectors.joining(", "));
    }
}
