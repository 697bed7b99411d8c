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
 * about now.
 */
final class PastEvents {
    private final Map<String, JsonNode> pods = new TreeMap<>();

    /** @param pods all that may have to do with cards; empty where none could be read, and then nothing is past */
    PastEvents(Iterable<JsonNode> pods) {
        pods.forEach(pod -> this.pods.put(pod.at("/metadata/uid").asText(), pod));
    }

    List<JsonNode> without(List<JsonNode> events) {
        return events.stream().filter(event -> !isPast(event)).toList();
    }

    private boolean isPast(JsonNode event) {
        JsonNode about = event.path("involvedObject");
        if (pods.isEmpty() || !about.path("kind").asText().equals("Pod") || about.path("uid").asText("").isEmpty()) {
            return false;
        }
        Optional<JsonNode> pod = Optional.ofNullable(pods.get(about.path("uid").asText()));
        return pod.isEmpty() || pod.flatMap(PastEvents::readySince).flatMap(since -> last(event).map(at -> !at.isAfter(since)))
                .orElse(false);
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
