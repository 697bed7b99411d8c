package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** What controllers and kubelets warn of now: an event of an hour ago says nothing about this moment. */
final class Warnings {
    private static final Duration FRESH = Duration.ofMinutes(10);

    private final ClusterSurvey survey;
    private final Instant now;

    Warnings(ClusterSurvey survey, Instant now) {
        this.survey = survey;
        this.now = now;
    }

    /** The newest warning about an object. */
    Optional<String> of(String kind, String name) {
        return survey.all(ObjectType.EVENT).stream()
                .filter(e -> e.at("/involvedObject/kind").asText().equals(kind)
                        && e.at("/involvedObject/name").asText().equals(name))
                .filter(e -> at(e).plus(FRESH).isAfter(now)).max(Comparator.comparing(Warnings::at))
                .map(e -> e.path("message").asText());
    }

    private static Instant at(JsonNode event) {
        for (String field : new String[]{"/series/lastObservedTime", "/lastTimestamp", "/eventTime",
                "/metadata/creationTimestamp"}) {
            String time = event.at(field).asText("");
            if (!time.isEmpty() && !time.equals("null")) {
                try {
                    return Instant.parse(time);
                } catch (DateTimeException garbled) {
                    return Instant.EPOCH;
                }
            }
        }
        return Instant.EPOCH;
    }
}
