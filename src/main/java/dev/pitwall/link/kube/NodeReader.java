package dev.pitwall.link.kube;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.card.NodeReport;

/** Reduces a Node to its report. */
final class NodeReader {
    private final Supplier<Workloads> workloads;

    NodeReader(Supplier<Workloads> workloads) {
        this.workloads = workloads;
    }

    Optional<NodeReport> read(JsonNode node) {
        JsonNode spec = node.path("spec");
        JsonNode status = node.path("status");
        JsonNode info = status.path("nodeInfo");
        return Optional.of(new NodeReport(node.path("metadata").path("name").asText(""),
                Fields.text(info, "systemUUID").map(uuid -> uuid.toLowerCase(Locale.ROOT)),
                labels(node), taints(spec), Fields.gpus(status.path("capacity")),
                Fields.gpus(status.path("allocatable")), conditions(status),
                spec.path("unschedulable").asBoolean(false), Fields.text(info, "kernelVersion"),
                Fields.text(info, "osImage"), Fields.text(info, "containerRuntimeVersion"),
                Fields.text(info, "kubeletVersion"), internalIp(status), Fields.text(info, "bootID")));
    }

    /** A label set to "false" does not make one: the operator leaves that when the GPU goes (facts: cluster 1.3). */
    boolean hasGpu(NodeReport node) {
        return !node.capacity().isEmpty() || workloads.get().gpuLabels().stream()
                .anyMatch(label -> "true".equals(node.labels().get(label)));
    }

    private Map<String, String> labels(JsonNode node) {
        Map<String, String> labels = new HashMap<>();
        Fields.labels(node).forEach((name, value) -> {
            if (Workloads.matches(workloads.get().nodeLabels(), name)) {
                labels.put(name, value);
            }
        });
        return labels;
    }

    private static List<NodeReport.Taint> taints(JsonNode spec) {
        List<NodeReport.Taint> taints = new ArrayList<>();
        spec.path("taints").forEach(taint -> taints.add(new NodeReport.Taint(taint.path("key").asText(""),
                Fields.text(taint, "value"), taint.path("effect").asText(""))));
        return taints;
    }

    private static List<NodeReport.Condition> conditions(JsonNode status) {
        List<NodeReport.Condition> conditions = new ArrayList<>();
        status.path("conditions").forEach(condition -> conditions.add(new NodeReport.Condition(
                condition.path("type").asText(""), condition.path("status").asText("Unknown"),
                Fields.text(condition, "reason"), Fields.text(condition, "message"))));
        return conditions;
    }

    private static Optional<String> internalIp(JsonNode status) {
        for (JsonNode address : status.path("addresses")) {
            if (address.path("type").asText().equals("InternalIP")) {
                return Fields.text(address, "address");
            }
        }
        return Optional.empty();
    }
}
