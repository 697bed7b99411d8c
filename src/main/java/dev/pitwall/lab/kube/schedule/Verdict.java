package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.schedule.Refusal.Filter;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Why a pod fits nowhere. [kubernetes: framework/types.go, FitError]
 *
 * @param text      as the pod's condition and event say it
 * @param refusedBy filters that spoke; empty if there was nothing to filter
 * @param nominated node that others leave for it; empty for none
 */
record Verdict(String text, Set<Filter> refusedBy, String nominated) {
    /** [kubernetes: scheduler.go, ErrNoNodesAvailable] */
    static final Verdict NO_NODES = new Verdict("no nodes available to schedule pods", Set.of(), "");

    static Verdict of(int nodes, Collection<Refusal> refusals) {
        Set<Filter> filters = EnumSet.noneOf(Filter.class);
        refusals.forEach(refusal -> filters.add(refusal.filter()));
        return new Verdict(histogram(nodes, refusals), filters, "");
    }

    /** The pod's volumes keep it from every node. */
    static Verdict of(int nodes, String hindrance) {
        return new Verdict(begin(nodes) + " " + hindrance + ".", Set.of(Filter.VOLUMES), "");
    }

    /** The same with what preemption has to say. */
    Verdict and(String preemption, String stillNominated) {
        return new Verdict(text + " preemption: " + preemption, refusedBy, stillNominated);
    }

    /** Others leave a node for it. */
    Verdict nominating(String node) {
        return new Verdict(text, refusedBy, node);
    }

    /** {@code 0/3 nodes are available: 1 …, 2 ….} with the parts in the order of their text. */
    static String histogram(int nodes, Collection<Refusal> refusals) {
        Map<String, Integer> counts = new TreeMap<>();
        refusals.forEach(refusal -> refusal.reasons().forEach(reason -> counts.merge(reason, 1, Integer::sum)));
        String parts = counts.entrySet().stream().map(count -> count.getValue() + " " + count.getKey()).sorted()
                .collect(Collectors.joining(", "));
        return begin(nodes) + (parts.isEmpty() ? "" : " " + parts + ".");
    }

    private static String begin(int nodes) {
        return "0/" + nodes + " nodes are available:";
    }
}
