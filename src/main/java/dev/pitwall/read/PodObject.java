package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PodReport;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads a pod object. */
public final class PodObject {

    /** @param pod a whole pod; a manifest without status has phase {@code Unknown} */
    public PodReport read(JsonNode pod) {
        JsonNode meta = pod.path("metadata");
        JsonNode spec = pod.path("spec");
        JsonNode status = pod.path("status");
        return new PodReport(Json.text(meta, "namespace").orElse(""),
                Json.text(meta, "name").or(() -> Json.text(meta, "generateName")).orElse(""),
                Json.text(meta, "uid").orElse(""),
                Json.text(meta.path("labels"), "app").or(() -> Json.text(meta.path("labels"), "app.kubernetes.io/name")),
                owner(meta), Json.text(spec, "nodeName"), targetNode(spec), Json.text(status, "phase").orElse("Unknown"),
                Json.text(status, "reason"), gpuRequests(spec), condition(status, "Ready").map(c -> isTrue(c)).orElse(false),
                meta.hasNonNull("deletionTimestamp"),
                Json.instant(status, "startTime").or(() -> Json.instant(meta, "creationTimestamp")), scheduling(status),
                containers(status, "initContainerStatuses"), containers(status, "containerStatuses"));
    }

    private static Optional<String> owner(JsonNode meta) {
        return Json.list(meta.path("ownerReferences")).stream().filter(o -> o.path("controller").asBoolean())
                .map(o -> o.path("kind").asText() + "/" + o.path("name").asText()).findFirst();
    }

    /** A DaemonSet's pod names its node in an affinity on {@code metadata.name} until it is bound. */
    private static Optional<String> targetNode(JsonNode spec) {
        JsonNode terms = spec.path("affinity").path("nodeAffinity")
                .path("requiredDuringSchedulingIgnoredDuringExecution").path("nodeSelectorTerms");
        return Json.list(terms).stream().flatMap(t -> Json.list(t.path("matchFields")).stream())
                .filter(f -> f.path("key").asText().equals("metadata.name"))
                .flatMap(f -> Json.texts(f, "values").stream()).findFirst();
    }

    /**
     * GPUs the pod holds once bound, by resource name, as the scheduler counts them: the larger of what the containers
     * need together and what any init container needs at its turn; an init container with {@code restartPolicy: Always}
     * stays and counts with the others (source: component-helpers resource/helpers.go).
     */
    static Map<String, Long> gpuRequests(JsonNode spec) {
        Map<String, Long> running = new HashMap<>();
        Json.list(spec.path("containers")).forEach(c -> add(running, requests(c)));
        Map<String, Long> init = new HashMap<>();
        Map<String, Long> sidecars = new HashMap<>();
        for (JsonNode container : Json.list(spec.path("initContainers"))) {
            Map<String, Long> turn = new HashMap<>(sidecars);
            add(turn, requests(container));
            turn.forEach((name, count) -> init.merge(name, count, Math::max));
            if (container.path("restartPolicy").asText().equals("Always")) {
                sidecars.clear();
                sidecars.putAll(turn);
                add(running, requests(container));
            }
        }
        Map<String, Long> all = new HashMap<>(running);
        init.forEach((name, count) -> all.merge(name, count, Math::max));
        add(all, gpus(spec.path("overhead")));
        all.values().removeIf(count -> count == 0);
        return all;
    }

    private static void add(Map<String, Long> sum, Map<String, Long> more) {
        more.forEach((name, count) -> sum.merge(name, count, Long::sum));
    }

    /** Limits stand in for requests that are not written: the API server copies them for extended resources. */
    private static Map<String, Long> requests(JsonNode container) {
        Map<String, Long> all = new HashMap<>(gpus(container.path("resources").path("limits")));
        all.putAll(gpus(container.path("resources").path("requests")));
        return all;
    }

    private static Map<String, Long> gpus(JsonNode resources) {
        Map<String, Long> gpus = new HashMap<>();
        resources.properties().forEach(e -> {
            OptionalLong count = Numbers.quantity(e.getValue().asText());
            if (isGpu(e.getKey()) && count.isPresent()) {
                gpus.put(e.getKey(), count.getAsLong());
            }
        });
        return gpus;
    }

    /** {@code nvidia.com/gpu}, time-sliced {@code nvidia.com/gpu.shared} and MIG's {@code nvidia.com/mig-…}. */
    static boolean isGpu(String resource) {
        return resource.equals("nvidia.com/gpu") || resource.equals("nvidia.com/gpu.shared")
                || resource.startsWith("nvidia.com/mig-");
    }

    private static Optional<JsonNode> condition(JsonNode status, String type) {
        return Json.list(status.path("conditions")).stream().filter(c -> c.path("type").asText().equals(type)).findFirst();
    }

    private static boolean isTrue(JsonNode condition) {
        return condition.path("status").asText().equals("True");
    }

    private static Optional<String> scheduling(JsonNode status) {
        return condition(status, "PodScheduled").filter(c -> !isTrue(c)).flatMap(c -> Json.text(c, "message"));
    }

    private static List<PodReport.ContainerReport> containers(JsonNode status, String field) {
        return Json.list(status.path(field)).stream().map(PodObject::container).toList();
    }

    private static PodReport.ContainerReport container(JsonNode status) {
        String state = List.of("running", "waiting", "terminated").stream()
                .filter(s -> status.path("state").has(s)).findFirst().orElse("waiting");
        JsonNode now = status.path("state").path(state);
        JsonNode last = status.path("lastState").path("terminated");
        OptionalInt restarts = Json.integer(status, "restartCount");
        Optional<Instant> since = Json.instant(now, "startedAt").or(() -> Json.instant(now, "finishedAt"));
        return new PodReport.ContainerReport(Json.text(status, "name").orElse(""), state,
                status.path("ready").asBoolean(), restarts.orElse(0), Json.text(now, "reason"), Json.text(now, "message"),
                Numbers.boxed(Json.integer(now, "exitCode")), Json.text(last, "reason"),
                Numbers.boxed(Json.integer(last, "exitCode")), since);
    }
}
