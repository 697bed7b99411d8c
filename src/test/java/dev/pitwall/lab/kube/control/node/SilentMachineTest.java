package dev.pitwall.lab.kube.control.node;

import static dev.pitwall.lab.kube.control.upkeep.UpkeepRig.condition;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.upkeep.ServiceAccounts;
import dev.pitwall.lab.kube.control.upkeep.UpkeepRig;
import dev.pitwall.lab.kube.kubelet.Kubelets;
import dev.pitwall.lab.kube.kubelet.RuntimeHandlers;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The kubelets say when they were heard of last, and the node controllers draw their conclusions. */
class SilentMachineTest {
    private static final String NODE = "rke2-worker-dc1-gpu-a";

    private final UpkeepRig rig = new UpkeepRig(SilentMachineTest::garage);
    private final ObjectKey node = rig.key("v1", "Node", "", NODE);

    private static List<Controller> garage(UpkeepRig.Parts parts) {
        try {
            SceneWorld.fill(parts.world(), new SceneFile().bundled("garage"));
        } catch (SceneException e) {
            throw new IllegalStateException(e);
        }
        ControlPlane plane = parts.plane();
        return List.of(new ServiceAccounts(plane, "authority"), new SilentNodes(plane, parts.world()),
                new NodeTaints(plane), new TaintEvictions(plane),
                new Kubelets(parts.world(), plane.clock(), plane.pods(), plane.hand(), plane.events(),
                        (image, pod, container) -> Optional.empty(), RuntimeHandlers.of(parts.world())));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void silent(boolean silent) {
        rig.world.change(w -> w.hosts.get(w.nodes.get(NODE).host).silent = silent);
    }

    private List<String> taints() {
        return rig.get(node).at("/spec/taints").findValuesAsText("key");
    }

    @Test
    void aSilentHostsNodesAreGivenUpTaintedEmptiedAndComeBack() {
        ObjectKey pod = rig.key("v1", "Pod", "default", "web");
        rig.hand.create(pod, UpkeepRig.yaml("{spec: {nodeName: " + NODE + ", tolerations: [{key: nvidia.com/gpu, operator:"
                + " Exists}], containers: [{name: c, image: 'nginx:1.29'}]}}"));
        rig.pass(20);
        assertThat(condition(rig.get(pod), "Ready")).startsWith("True");
        assertThat(rig.get(node).at("/metadata/labels").path("topology.kubernetes.io/zone").asText())
                .as("the whole zone will be down").isEqualTo("dc1");
        List<String> before = taints();
        silent(true);
        rig.pass(45);
        assertThat(condition(rig.get(node), "Ready")).startsWith("True");
        rig.pass(10);
        assertThat(condition(rig.get(node), "Ready"))
                .isEqualTo("Unknown/NodeStatusUnknown/Kubelet stopped posting node status.");
        assertThat(condition(rig.get(pod), "Ready")).startsWith("False");
        rig.pass(60);
        assertThat(taints()).contains("node.kubernetes.io/unreachable");
        assertThat(rig.get(pod).path("metadata").has("deletionTimestamp")).isFalse();
        rig.pass(350);
        JsonNode driven = rig.get(pod);
        assertThat(driven.path("metadata").has("deletionTimestamp")).as("after five minutes").isTrue();
        assertThat(condition(driven, "DisruptionTarget")).contains("DeletionByTaintManager");
        silent(false);
        rig.pass(60);
        assertThat(rig.has(pod)).isFalse();
        assertThat(taints()).isEqualTo(before);
        assertThat(condition(rig.get(node), "Ready")).startsWith("True");
    }
}
