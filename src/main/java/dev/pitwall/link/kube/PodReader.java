package dev.pitwall.link.kube;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import dev.pitwall.card.PodReport;
import dev.pitwall.card.PodReport.ContainerReport;

/** Reduces a Pod to its report. */
final class PodReader {
    private PodReader() {
    }

    static PodReport read(JsonNode pod, Map<String, String> labels, Map<String, Long> gpuRequests) {
        JsonNode metadata = pod.path("metadata");
        JsonNode spec = pod.path("spec");
        JsonNode status = pod.path("status");
        return new PodReport(metadata.path("namespace").asText(""), metadata.path("name").asText(""),
                metadata.path("uid").asText(""),
                Optional.ofNullable(labels.getOrDefault("app", labels.get("app.kubernetes.io/name"))),
                owner(metadata), Fields.text(spec, "nodeName"), targetNode(spec),
                status.path("phase").asText("Unknown"), Fields.text(status, "reason"), gpuRequests,
                conditionStatus(status, "Ready").equals("True"), metadata.hasNonNull("deletionTimestamp"),
                Fields.time(status, "startTime").or(() -> Fields.time(metadata, "creationTimestamp")), scheduling(status),
                containers(spec.path("initContainers"), status.path("initContainerStatuses")),
                containers(spec.path("containers"), status.path("containerStatuses")));
    }

    /** The controlling owner, for example {@code DaemonSet/nvidia-device-plugin-daemonset}. */
    static Optional<String> owner(JsonNode metadata) {
        for (JsonNode reference : metadata.path("ownerReferences")) {
            if (reference.path("controller").asBoolean(false)) {
                return Optional.of(reference.path("kind").asText("") + "/" + reference.path("name").asText(""));
            }
        }
        return Optional.empty();
    }

    /** The DaemonSet controller binds a pod to its node by a field selector on the node's name. */
    private static Optional<String> targetNode(JsonNode spec) {
        JsonNode terms = spec.path("affinity").path("nodeAffinity")
                .path("requiredDuringSchedulingIgnoredDuringExecution").path("nodeSelectorTerms");
        for (JsonNode term : terms) {
            for (JsonNode field : term.path("matchFields")) {
                if (field.path("key").asText().equals("metadata.name")) {
                    return Optional.of(field.path("values").path(0).asText("")).filter(name -> !name.isEmpty());
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> scheduling(JsonNode status) {
        return condition(status, "PodScheduled").path("status").asText().equals("False")
                ? Fields.text(condition(status, "PodScheduled"), "message") : Optional.empty();
    }

    private static String conditionStatus(JsonNode status, String type) {
        return condition(status, type).path("status").asText("");
    }

    private static JsonNode condition(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }

    /** In the order of the spec, which for init containers is the order they run in; one without a status waits. */
    private static List<ContainerReport> containers(JsonNode specs, JsonNode statuses) {
        Map<String, JsonNode> byName = new HashMap<>();
        statuses.forEach(status -> byName.put(status.path("name").asText(""), status));
        List<ContainerReport> containers = new ArrayList<>();
        for (JsonNode spec : specs) {
            String name = spec.path("name").asText("");
            containers.add(container(name, byName.getOrDefault(name, MissingNode.getInstance())));
        }
        return containers;
    }

    private static ContainerReport container(String name, JsonNode status) {
        String state = status.path("state").has("running") ? "running"
                : status.path("state").has("terminated") ? "terminated" : "waiting";
        JsonNode now = status.path("state").path(state);
        JsonNode before = status.path("lastState").path("terminated");
        Optional<Integer> exitCode = now.has("exitCode") ? Optional.of(now.path("exitCode").asInt())
                : Optional.empty();
        Optional<Integer> lastExitCode = before.has("exitCode") ? Optional.of(before.path("exitCode").asInt())
                : Optional.empty();
        return new ContainerReport(name, state, status.path("ready").asBoolean(false),
                status.path("restartCount").asInt(0), Fields.text(now, "reason"), Fields.text(now, "message"),
                exitCode, Fields.text(before, "reason"), lastExitCode,
                Fields.time(now, state.equals("terminated") ? "finishedAt" : "startedAt"));
    }
}
