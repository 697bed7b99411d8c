package dev.pitwall.link.proxmox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.link.proxmox.NodeDuty.Way;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeDutyTest {
    private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");
    private static final String NODE = "lab: pve2";

    private final NodeDuty duty = new NodeDuty();

    @Test
    void aNodeIsReadByWhoAskedFirst() {
        assertThat(duty.take(NODE, "a", Way.THROUGH_ANOTHER, NOW)).isTrue();
        assertThat(duty.take(NODE, "b", Way.THROUGH_ANOTHER, NOW)).isFalse();
        assertThat(duty.take(NODE, "a", Way.THROUGH_ANOTHER, NOW)).isTrue();
    }

    @Test
    void theNodesOwnAccessTakesItOver() {
        duty.take(NODE, "a", Way.THROUGH_ANOTHER, NOW);
        assertThat(duty.take(NODE, "b", Way.DIRECT, NOW)).isTrue();
        assertThat(duty.take(NODE, "a", Way.THROUGH_ANOTHER, NOW)).isFalse();
    }

    @Test
    void aFailedReaderLeavesItsNodesToTheOthers() {
        duty.take(NODE, "a", Way.DIRECT, NOW);
        duty.release("a");
        assertThat(duty.take(NODE, "b", Way.THROUGH_ANOTHER, NOW)).isTrue();
    }

    @Test
    void aReaderThatFellSilentIsNotWaitedForLong() {
        duty.take(NODE, "a", Way.DIRECT, NOW);
        assertThat(duty.take(NODE, "b", Way.THROUGH_ANOTHER, NOW.plus(Duration.ofMinutes(4)))).isTrue();
    }
}
