package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import java.util.List;

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
        return !new PastEvents(List.of(READY, WAITING)).without(List.of(event)).isEmpty();
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
        assertThat(new PastEvents(List.of()).without(List.of(event("gone", "2026-03-01T10:04:00Z"))))
                .as("no pod could be read").hasSize(1);
    }
}
