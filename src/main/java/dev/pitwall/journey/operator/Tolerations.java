package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.NodeReport.Taint;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A list of tolerations, as a pod or a chart's values have it.
 *
 * @param list a JSON array; anything else tolerates nothing
 */
record Tolerations(JsonNode list) {
    /** What a node's own controllers set: DaemonSets' pods tolerate it by themselves. */
    private static final Set<String> OF_CONTROLLERS = Set.of("node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable", "node.kubernetes.io/disk-pressure", "node.kubernetes.io/memory-pressure",
            "node.kubernetes.io/pid-pressure", "node.kubernetes.io/unschedulable",
            "node.kubernetes.io/network-unavailable");

    /** True for a taint that keeps a DaemonSet's pods away which do not tolerate it. */
    static boolean repels(Taint taint) {
        return !taint.effect().equals("PreferNoSchedule") && !OF_CONTROLLERS.contains(taint.key());
    }

    boolean tolerates(Taint taint) {
        return list.isArray() && list.valueStream().anyMatch(t -> fits(t, taint));
    }

    /** An empty key with Exists fits all; an empty effect fits every effect. */
    private static boolean fits(JsonNode toleration, Taint taint) {
        String key = toleration.path("key").asText("");
        String effect = toleration.path("effect").asText("");
        boolean exists = toleration.path("operator").asText("Equal").equals("Exists");
        return (effect.isEmpty() || effect.equals(taint.effect()))
                && (key.isEmpty() ? exists : key.equals(taint.key()))
                && (exists || toleration.path("value").asText("").equals(taint.value().orElse("")));
    }

    /** Those that keep pods with this list away. */
    List<Taint> untolerated(Collection<Taint> taints) {
        return taints.stream().filter(Tolerations::repels).filter(t -> !tolerates(t)).toList();
    }

    /** This list and what tolerates these taints too, whatever their values. */
    ArrayNode and(Collection<Taint> taints) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        if (list.isArray()) {
            list.forEach(t -> all.add(t.deepCopy()));
        }
        for (Taint taint : taints) {
            if (!new Tolerations(all).tolerates(taint)) {
                ObjectNode one = all.addObject();
                one.put("key", taint.key());
                one.put("operator", "Exists");
                one.put("effect", taint.effect());
            }
        }
        return all;
    }

    /** For example {@code nvidia.com/gpu=present:NoSchedule}. */
    static String words(Taint taint) {
        return taint.key() + taint.value().filter(v -> !v.isEmpty()).map(v -> "=" + v).orElse("") + ":" + taint.effect();
    }
}
