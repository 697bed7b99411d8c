package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Events outlive by an hour what they tell of (facts: cluster.md 1.9). Of a pod that is gone, or that is ready since, they say nothing
 * about now; nor do refusals of pods whose maker is gone, or has by now as many as it wants.
 */
final class PastEvents {
    private final Map<String, JsonNode> pods = new TreeMap<>();
    private final Map<String, Optional<JsonNode>> makers;

    /**
     * @param pods   all that may have to do with cards; empty where none could be read, and then nothing is past
     * @param makers those whose pods were refused, by UID, as they are now; empty for one that is gone
     */
    PastEvents(Iterable<JsonNode> pods, Map<String, Optional<JsonNode>> makers) {
        pods.forEach(pod -> this.pods.put(pod.at("/metadata/uid").asText(), pod));
        this.makers = Map.copyOf(makers);
    }

    /** True for one that tells that a pod was refused before it existed. */
    static boolean isRefusal(JsonNode event) {
        return event.path("reason").asText().equals("FailedCreate");
    }

    List<JsonNode> without(List<JsonNode> events) {
        return events.stream().filter(event -> !isPast(event)).toList();
    }

    private boolean isPast(JsonNode event) {
        JsonNode about = event.path("involvedObject");
        if (isRefusal(event) && makers.containsKey(about.path("uid").asText())) {
            return makers.get(about.path("uid").asText()).map(PastEvents::hasAll).orElse(true);
        }
        if (pods.isEmpty() || !about.path("kind").asText().equals("Pod") || about.path("uid").asText("").isEmpty()) {
            return false;
        }
        Optional<JsonNode> pod = Optional.ofNullable(pods.get(about.path("uid").asText()));
        return pod.isEmpty() || pod.flatMap(PastEvents::readySince).flatMap(since -> last(event).map(at -> !at.isAfter(since)))
                .orElse(false);
    }

    /** A DaemonSet wants one a node; who has not been looked at since it was changed has not said what it has. */
    private static boolean hasAll(JsonNode maker) {
        JsonNode status = maker.path("status");
        boolean seen = status.path("observedGeneration").asLong(0) >= maker.at("/metadata/generation").asLong(0);
        return seen && (maker.path("kind").asText().equals("DaemonSet")
                ? status.path("currentNumberScheduled").asInt(0) >= status.path("desiredNumberScheduled").asInt(1)
                : status.path("replicas").asInt(0) >= maker.at("/spec/replicas").asInt(1));
    }

    private static Optional<Instant> readySince(JsonNode pod) {
        return pod.at("/status/conditions").valueStream().filter(c -> c.path("type").asText().equals("Ready")
                && c.path("status").asText().equals("True")).findFirst().flatMap(c -> instant(c.path("lastTransitionTime")));
    }

    private static Optional<Instant> last(JsonNode event) {
        return instant(event.path("lastTimestamp")).or(() -> instant(event.at("/series/lastObservedTime")))
                .or(() -> instant(event.path("eventTime"))).or(() -> instant(event.at("/metadata/creationTimestamp")));
    }

    private static Optional<Instant> instant(JsonNode time) {
        try {
            return time.isTextual() ? Optional.of(Instant.parse(time.asText())) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
