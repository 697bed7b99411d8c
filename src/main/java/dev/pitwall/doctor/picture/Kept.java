package dev.pitwall.doctor.picture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What is kept of an object, so that a cluster of thousands of pods fits into a small heap: what checks compare, and no more.
 * Of a Secret nothing is kept but its name and type.
 */
final class Kept {
    private static final String GPU = "nvidia.com/";
    private static final Pattern STACK = Pattern.compile("nvidia|gpu|dcgm|feature-discovery|nfd-");
    private static final Set<String> DROPPED = Set.of("Event", "Lease", "EndpointSlice", "Endpoints", "ControllerRevision",
            "NodeFeature", "PodMetrics");
    private static final int LARGEST_TEXT = 64_000;

    /** @return empty for an object of which nothing is needed once its words were read */
    Optional<JsonNode> reduced(String kind, JsonNode object) {
        if (DROPPED.contains(kind) || kind.equals("Pod") && !matters(object)
                || kind.equals("ReplicaSet") && object.path("spec").path("replicas").asInt(0) == 0) {
            return Optional.empty();
        }
        ObjectNode copy = object.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
            if (metadata.get("annotations") instanceof ObjectNode annotations) {
                annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
            }
        }
        switch (kind) {
            case "Secret" -> {
                copy.remove("data");
                copy.remove("stringData");
            }
            case "ConfigMap" -> shorten(copy.path("data"));
            case "Node" -> {
                if (copy.get("status") instanceof ObjectNode status) {
                    status.remove("images");
                }
            }
            default -> { }
        }
        return Optional.of(copy);
    }

    /** Pods that hold or want cards, those of the GPU stack, those that are ending, and those that fail. */
    private static boolean matters(JsonNode pod) {
        JsonNode phase = pod.path("status").path("phase");
        return STACK.matcher(pod.path("metadata").path("name").asText("")).find() || wantsCard(pod.path("spec"))
                || phase.asText().equals("Failed") || phase.asText().equals("Pending")
                || pod.path("metadata").hasNonNull("deletionTimestamp");
    }

    private static boolean wantsCard(JsonNode spec) {
        return spec.path("runtimeClassName").asText("").startsWith("nvidia") || spec.has("resourceClaims")
                || Stream.of("initContainers", "containers")
                .flatMap(field -> StreamSupport.stream(spec.path(field).spliterator(), false))
                .flatMap(container -> Stream.of("limits", "requests").map(container.path("resources")::path))
                .anyMatch(resources -> resources.properties().stream().anyMatch(r -> r.getKey().startsWith(GPU)));
    }

    private static void shorten(JsonNode data) {
        if (data instanceof ObjectNode texts) {
            texts.properties().stream().filter(e -> e.getValue().asText().length() > LARGEST_TEXT)
                    .map(Map.Entry::getKey).toList().forEach(key -> texts.put(key, ""));
        }
    }
}
