package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static dev.pitwall.journey.operator.PaperCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

class PastEventsTest {
    private static final JsonNode READY = yaml("{metadata: {uid: a}, status: {conditions: [{type: Ready, status: 'True', "
            + "lastTransitionTime: '2026-03-01T10:05:00Z'}]}}");
    private static final JsonNode WAITING = yaml("{metadata: {uid: b}, status: {conditions: [{type: Ready, status: 'False', "
            + "lastTransitionTime: '2026-03-01T10:05:00Z'}]}}");

    private static JsonNode event(String uid, String time) {
        return yaml("{involvedObject: {kind: Pod, uid: '" + uid + "'}, lastTimestamp: '" + time + "'}");
    }

    private static boolean counts(JsonNode event) {
        return !new PastEvents(List.of(READY, WAITING), Map.of()).without(List.of(event)).isEmpty();
    }

    @Test
    void whatAPodMetBeforeItWasReadyIsOver() {
        assertThat(counts(event("a", "2026-03-01T10:04:00Z"))).isFalse();
        assertThat(counts(event("a", "2026-03-01T10:06:00Z"))).as("what it has met since").isTrue();
        assertThat(counts(event("b", "2026-03-01T10:04:00Z"))).as("one that is not ready").isTrue();
    }

    @Test
    void whatAPodMetThatIsGoneIsOver() {
        assertThat(counts(event("gone", "2026-03-01T10:04:00Z"))).isFalse();
    }

    @Test
    void whatIsAboutNoPodOrCannotBeComparedCounts() {
        assertThat(counts(yaml("{involvedObject: {kind: ReplicaSet, uid: gone}}"))).isTrue();
        assertThat(counts(event("", "2026-03-01T10:04:00Z"))).isTrue();
        assertThat(counts(event("a", "yesterday"))).isTrue();
        assertThat(new PastEvents(List.of(), Map.of()).without(List.of(event("gone", "2026-03-01T10:04:00Z"))))
                .as("no pod could be read").hasSize(1);
    }

    private static boolean counts(String kind, Optional<String> now) {
        JsonNode event = yaml("{reason: FailedCreate, involvedObject: {kind: " + kind + ", uid: m}}");
        return !new PastEvents(List.of(READY), Map.of("m", now.map(text -> yaml("{kind: " + kind + ", " + text + "}"))))
                .without(List.of(event)).isEmpty();
    }

    @Test
    void whatKeptPodsFromBeingMadeIsOverOnceTheirMakerHasAllOrIsGone() {
        assertThat(counts("ReplicaSet", Optional.of("spec: {replicas: 1}, status: {replicas: 1}"))).isFalse();
        assertThat(counts("ReplicaSet", Optional.of("spec: {replicas: 0}, status: {}"))).as("replaced by another").isFalse();
        assertThat(counts("ReplicaSet", Optional.of("spec: {replicas: 2}, status: {replicas: 1}"))).isTrue();
        assertThat(counts("DaemonSet", Optional.of("status: {desiredNumberScheduled: 2, currentNumberScheduled: 2}"))).isFalse();
        assertThat(counts("DaemonSet", Optional.of("status: {desiredNumberScheduled: 2, currentNumberScheduled: 1}"))).isTrue();
        assertThat(counts("DaemonSet", Optional.of("metadata: {generation: 2}, status: {observedGeneration: 1, "
                + "desiredNumberScheduled: 1, currentNumberScheduled: 1}"))).as("not looked at since it was changed").isTrue();
        assertThat(counts("StatefulSet", Optional.empty())).as("gone").isFalse();
    }
}
