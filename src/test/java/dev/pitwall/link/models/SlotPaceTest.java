package dev.pitwall.link.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SlotPaceTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private final SlotPace pace = new SlotPace();

    private SlotPace.Look look(int seconds, String slots) throws Exception {
        return pace.look(new ObjectMapper().readTree(slots), NOON.plusSeconds(seconds));
    }

    private static String slot(int id, int task, String next) {
        return "{\"id\":%d,\"id_task\":%d,\"is_processing\":%b,\"next_token\":%s}".formatted(id, task, task >= 0, next);
    }

    @Test
    void theDifferenceBetweenTwoLooksIsThePaceWhateverTheShapeOfTheSlot() throws Exception {
        assertThat(look(0, "[" + slot(0, 3, "{\"n_decoded\":10}") + "," + slot(1, -1, "{\"n_decoded\":900}") + "]"))
                .satisfies(l -> assertThat(l.requests()).hasValue(1)).satisfies(l -> assertThat(l.tokensPerSecond()).isEmpty());
        // A second task has come, with 20 tokens since.
        assertThat(look(2, "[" + slot(0, 3, "[{\"n_decoded\":70}]") + "," + slot(1, 4, "[{\"n_decoded\":20}]") + "]")
                .tokensPerSecond()).hasValue(40);
        // Another task is in the slot of the first.
        assertThat(look(4, "[" + slot(0, 5, "[{\"n_decoded\":8}]") + "]").tokensPerSecond()).hasValue(4);
        assertThat(look(6, "[" + slot(0, -1, "[]") + "]").tokensPerSecond()).hasValue(0);
    }

    @Test
    void whatAServerDoesNotTellIsNotNought() throws Exception {
        look(0, "[" + slot(0, 3, "{}") + "]");
        assertThat(look(2, "[" + slot(0, 3, "{}") + "]").tokensPerSecond()).isEmpty();
        assertThat(look(4, "{\"error\":\"no slots\"}")).isEqualTo(SlotPace.Look.NOTHING);
    }
}
