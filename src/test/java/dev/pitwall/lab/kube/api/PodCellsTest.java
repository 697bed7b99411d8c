package dev.pitwall.lab.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PodCellsTest {

    @Test
    void a_gated_pods_status_names_its_gate_and_no_longer_does_once_it_is_bound() {
        ObjectNode pod = Json.object();
        ObjectNode condition = pod.withObjectProperty("status").put("phase", "Pending").putArray("conditions")
                .addObject().put("type", "PodScheduled").put("status", "False").put("reason", "SchedulingGated");
        assertThat(new PodCells(pod, Instant.EPOCH).status()).isEqualTo("SchedulingGated");
        condition.put("status", "True").remove("reason");
        assertThat(new PodCells(pod, Instant.EPOCH).status()).isEqualTo("Pending");
    }
}
