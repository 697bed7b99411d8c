package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.NodeReport.Taint;
import java.util.List;
import java.util.Optional;

/**
 * Which taint the card's node has or is to get: choice {@code taint}.
 *
 * @param value    of the choice
 * @param present  a taint of this key that is there: it is kept, whatever its value
 */
record TaintWish(String value, Optional<Taint> present) {
    static final String KEY = "taint";
    static final String PRESENT = "present";
    static final String NONE = "none";
    /** The one value that the standalone plugin's own NFD tolerates too (facts: cluster.md 1.8). */
    private static final Taint USUAL = new Taint("nvidia.com/gpu", Optional.of("present"), "NoSchedule");

    static TaintWish of(CardCluster cluster) {
        Optional<Taint> present = cluster.node().stream().flatMap(node -> CardCluster.taints(node).stream())
                .filter(t -> t.key().equals(USUAL.key())).findFirst();
        return new TaintWish(cluster.situation().choices().get(KEY).orElseGet(() ->
                present.isPresent() || !alone(cluster) ? PRESENT : NONE), present);
    }

    /** On the only node that takes pods a taint would keep everything else out. */
    static boolean alone(CardCluster cluster) {
        List<JsonNode> open = cluster.nodes().stream().filter(node ->
                CardCluster.taints(node).stream().noneMatch(Tolerations::repels)).toList();
        Optional<String> own = cluster.situation().nodeName();
        return open.stream().allMatch(node -> own.equals(Optional.of(CardCluster.name(node))));
    }

    boolean wanted() {
        return !value.equals(NONE);
    }

    /** The taint that the node will have; empty if it has none and is to get none. */
    Optional<Taint> taint() {
        return present.or(() -> wanted() ? Optional.of(USUAL) : Optional.empty());
    }

    Taint usual() {
        return USUAL;
    }
}
