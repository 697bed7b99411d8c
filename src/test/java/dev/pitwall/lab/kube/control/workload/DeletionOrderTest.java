package dev.pitwall.lab.kube.control.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class DeletionOrderTest {
    private static final Instant NOW = WorkloadRig.BEGIN;

    /** Each is given up before the next, for one reason more than those before it. */
    private static final List<String> IN_ORDER = List.of(
            "metadata: {name: unbound}\nstatus: {phase: Pending}",
            "metadata: {name: pending}\nspec: {nodeName: n1}\nstatus: {phase: Pending}",
            "metadata: {name: running}\nspec: {nodeName: n1}\nstatus: {phase: Running}",
            ready("cheap", "n1", "annotations: {controller.kubernetes.io/pod-deletion-cost: '-1'}", 600, 0),
            ready("crowded-new", "n1", "", 60, 0),
            ready("crowded-restarted", "n1", "", 600, 4),
            ready("crowded", "n1", "", 600, 0),
            ready("alone", "n2", "", 1, 9),
            ready("dear", "n1", "annotations: {controller.kubernetes.io/pod-deletion-cost: '7'}", 1, 9));

    private static String ready(String name, String node, String metadata, int seconds, int restarts) {
        return """
                metadata: {name: %s, creationTimestamp: '2026-08-01T00:00:00Z', %s}
                spec: {nodeName: %s}
                status:
                  phase: Running
                  conditions: [{type: Ready, status: 'True', lastTransitionTime: '%s'}]
                  containerStatuses: [{restartCount: %d}]
                """.formatted(name, metadata, node, Timestamp.of(NOW.minusSeconds(seconds)), restarts);
    }

    private static List<PodFacts> pods() {
        List<PodFacts> pods = new ArrayList<>();
        try (ObjectStore store = new ObjectStore(() -> NOW, ResourceCatalog.load(), 16)) {
            for (String yaml : IN_ORDER) {
                ObjectNode pod = WorkloadRig.yaml(yaml);
                pods.add(PodFacts.of(store.create(WorkloadRig.key(Resource.PODS, WorkloadRig.name(pod)), pod)));
            }
        }
        return pods;
    }

    private static List<String> names(List<PodFacts> pods) {
        return pods.stream().map(pod -> pod.key().name()).toList();
    }

    @Test
    void the_least_useful_go_first() {
        assertThat(names(DeletionOrder.first(pods(), IN_ORDER.size(), NOW))).isEqualTo(names(pods()));
    }

    @Property(tries = 20)
    void the_order_they_come_in_does_not_matter(@ForAll long seed) {
        List<PodFacts> pods = pods();
        Collections.shuffle(pods, new Random(seed));
        assertThat(names(DeletionOrder.first(pods, 4, NOW)))
                .containsExactly("unbound", "pending", "running", "cheap");
    }
}
