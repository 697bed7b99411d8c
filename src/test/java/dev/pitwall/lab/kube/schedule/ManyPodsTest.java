package dev.pitwall.lab.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The fleet scene's size: 200 nodes, 5,000 pods. */
class ManyPodsTest {
    private static final int NODES = 200;
    private static final int PODS = 5000;

    private final SchedulerRig rig = new SchedulerRig(65_536);

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void five_thousand_pods_find_their_nodes_in_one_turn_each_node_as_many() {
        fill("metadata: {labels: {app: web}}\nspec: {}");
        rig.pass(1);
        Map<String, Integer> perNode = new TreeMap<>();
        for (StoredObject pod : rig.store.list(Resource.PODS, "").objects()) {
            perNode.merge(pod.tree().at("/spec/nodeName").asText(""), 1, Integer::sum);
        }
        assertThat(perNode).hasSize(NODES).doesNotContainKey("");
        assertThat(perNode.values()).allMatch(count -> count == PODS / NODES);
    }

    @Test
    void as_many_stuck_pods_are_not_written_to_while_nothing_helps_them() {
        fill("metadata: {labels: {app: cuda}}\nspec: {nodeSelector: {card: none}}");
        rig.pass(1);
        long after = rig.store.revision();
        for (int i = 0; i < NODES; i++) {
            rig.lay(NodeFacts.key("node-%03d".formatted(i)), "metadata: {labels: {beat: now}}");
        }
        rig.pass(1);
        assertThat(rig.store.revision()).isEqualTo(after + NODES);
    }

    private void fill(String more) {
        for (int i = 0; i < NODES; i++) {
            rig.node("node-%03d".formatted(i));
        }
        for (int i = 0; i < PODS; i++) {
            rig.asking("pod-%04d".formatted(i), "cpu: 100m, memory: 100Mi", more);
        }
    }
}
