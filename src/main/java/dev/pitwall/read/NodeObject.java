package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.NodeReport;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads a node object, or a part of one that has its labels, capacity or allocatable. */
public final class NodeObject {

    /** True if the tree has something of a node, whatever encloses it. */
    boolean recognises(JsonNode node) {
        JsonNode status = node.has("status") ? node.path("status") : node;
        return "Node".equals(node.path("kind").asText()) || amounts(status, "capacity") || amounts(status, "allocatable")
                || nodeLabels(node.path("labels")) || nodeLabels(node.path("metadata").path("labels"))
                || nodeLabels(node);
    }

    private static boolean amounts(JsonNode status, String field) {
        JsonNode resources = status.path(field);
        return resources.isObject() && (resources.has("cpu") || resources.has("pods") || resources.has("memory")
                || resources.properties().stream().anyMatch(e -> e.getKey().startsWith("nvidia.com/")));
    }

    private static boolean nodeLabels(JsonNode labels) {
        return labels.isObject() && labels.properties().stream().anyMatch(e -> e.getValue().isTextual()
                && (e.getKey().startsWith("feature.node.kubernetes.io/") || e.getKey().startsWith("nvidia.com/gpu.")));
    }

    /** @param node a whole node, or a part of one */
    public NodeFacts read(JsonNode node) {
        return read(node, part -> false);
    }

    /** @param open true for an object in which the text stops: what it lacks may have followed */
    NodeFacts read(JsonNode node, Predicate<JsonNode> open) {
        JsonNode meta = node.path("metadata");
        JsonNode status = node.has("status") ? node.path("status") : node;
        JsonNode spec = node.path("spec");
        JsonNode info = status.path("nodeInfo");
        Optional<Map<String, String>> labels = Json.map(meta, "labels").or(() -> Json.map(node, "labels"))
                .or(() -> nodeLabels(node) ? Optional.of(asMap(node)) : Optional.empty());
        return new NodeFacts(Json.text(meta, "name"), labels, taints(spec, open), Json.map(status, "capacity"),
                Json.map(status, "allocatable"), conditions(status), unschedulable(node, spec, open),
                new NodeFacts.Info(Json.text(info, "systemUUID").map(Text::lower), Json.text(info, "kernelVersion"),
                        Json.text(info, "osImage"), Json.text(info, "containerRuntimeVersion"),
                        Json.text(info, "kubeletVersion"), internalIp(status)),
                Optional.empty(), Optional.empty());
    }

    private static Map<String, String> asMap(JsonNode labels) {
        Map<String, String> map = new LinkedHashMap<>();
        labels.properties().stream().filter(e -> e.getValue().isTextual())
                .forEach(e -> map.put(e.getKey(), e.getValue().asText()));
        return map;
    }

    private static Optional<List<NodeReport.Taint>> taints(JsonNode spec, Predicate<JsonNode> open) {
        if (!spec.path("taints").isArray()) {
            return spec.isObject() && !spec.has("taints") && !open.test(spec) ? Optional.of(List.of()) : Optional.empty();
        }
        return Optional.of(Json.list(spec.path("taints")).stream()
                .filter(t -> t.has("key") && t.has("effect"))
                .map(t -> new NodeReport.Taint(t.path("key").asText(), Json.text(t, "value"), t.path("effect").asText()))
                .toList());
    }

    /** The API leaves the field out where it is false. */
    private static Optional<Boolean> unschedulable(JsonNode node, JsonNode spec, Predicate<JsonNode> open) {
        return Json.flag(spec, "unschedulable").or(() -> node.has("status") && spec.isObject()
                && !open.test(spec)
                ? Optional.of(false) : Optional.empty());
    }

    private static Optional<List<NodeReport.Condition>> conditions(JsonNode status) {
        return !status.path("conditions").isArray() ? Optional.empty() : Optional.of(Json.list(status.path("conditions"))
                .stream().filter(c -> c.has("type") && c.has("status"))
                .map(c -> new NodeReport.Condition(c.path("type").asText(), c.path("status").asText(),
                        Json.text(c, "reason"), Json.text(c, "message"))).toList());
    }

    private static Optional<String> internalIp(JsonNode status) {
        return Json.list(status.path("addresses")).stream().filter(a -> a.path("type").asText().equals("InternalIP"))
                .map(a -> a.path("address").asText()).filter(a -> !a.isEmpty()).findFirst();
    }
}
