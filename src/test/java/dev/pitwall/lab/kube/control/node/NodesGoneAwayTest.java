package dev.pitwall.lab.kube.control.node;

import static dev.pitwall.lab.kube.control.upkeep.UpkeepRig.condition;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.upkeep.PodCollector;
import dev.pitwall.lab.kube.control.upkeep.UpkeepRig;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.world.LabNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodesGoneAwayTest {
    private static final String BEARS = "[{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute,"
            + " tolerationSeconds: 300}]";
    private UpkeepRig rig;

    @BeforeEach
    void threeNodes() {
        rig = new UpkeepRig(parts -> List.of(new NodeTaints(parts.plane()), new TaintEvictions(parts.plane()),
                new SilentNodes(parts.plane(), parts.world()), new PodCollector(parts.plane(), 2)));
        for (String name : List.of("a", "b", "c", "d")) {
            rig.world.change(w -> w.nodes.put(name, new LabNode(name)));
            node(name);
        }
        rig.pass(0);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void node(String name) {
        rig.put("v1", "Node", "", name, "{spec: {}, status: {conditions: [{type: Ready, status: 'True', reason: KubeletReady},"
                + " {type: DiskPressure, status: 'False'}]}}");
    }

    private ObjectKey pod(String name, String node, String tolerations) {
        return rig.put("v1", "Pod", "default", name, "{spec: {nodeName: " + node + ", terminationGracePeriodSeconds: 30,"
                + " tolerations: " + tolerations + "}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}")
                .key();
    }

    private void turn(String node, int condition, String status) {
        rig.change(key(node), object -> ((ObjectNode) object.at("/status/conditions/" + condition)).put("status", status));
        rig.pass(0);
    }

    private ObjectKey key(String node) {
        return rig.key("v1", "Node", "", node);
    }

    private List<String> taints(String node) {
        List<String> taints = new ArrayList<>();
        rig.get(key(node)).at("/spec/taints").forEach(taint -> taints.add(taint.path("key").asText() + ":"
                + taint.path("effect").asText()));
        return taints;
    }

    private boolean leaves(ObjectKey pod) {
        return rig.get(pod).path("metadata").has("deletionTimestamp");
    }

    @Test
    void taintsFollowConditionsAndGoWithThem() {
        rig.change(key("a"), node -> node.withObjectProperty("spec").putArray("taints").addObject()
                .put("key", "nvidia.com/gpu").put("effect", "NoSchedule"));
        turn("a", 1, "True");
        assertThat(taints("a")).containsExactly("nvidia.com/gpu:NoSchedule", "node.kubernetes.io/disk-pressure:NoSchedule");
        turn("a", 1, "False");
        turn("a", 0, "False");
        assertThat(taints("a")).containsExactly("nvidia.com/gpu:NoSchedule", "node.kubernetes.io/not-ready:NoSchedule",
                "node.kubernetes.io/not-ready:NoExecute");
        turn("a", 0, "Unknown");
        assertThat(taints("a")).containsExactly("nvidia.com/gpu:NoSchedule",
                "node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute");
        turn("a", 0, "True");
        assertThat(taints("a")).containsExactly("nvidia.com/gpu:NoSchedule");
    }

    @Test
    void aCordonedNodeIsTaintedUntilItIsUncordoned() {
        rig.change(key("a"), node -> node.withObjectProperty("spec").put("unschedulable", true));
        rig.pass(0);
        assertThat(taints("a")).containsExactly("node.kubernetes.io/unschedulable:NoSchedule");
        rig.change(key("a"), node -> ((ObjectNode) node.path("spec")).remove("unschedulable"));
        rig.pass(0);
        assertThat(rig.get(key("a")).path("spec").has("taints")).isFalse();
    }

    @Test
    void aPodBearsAnUnreachableNodeAsLongAsItSays() {
        ObjectKey bears = pod("bears", "a", BEARS);
        ObjectKey bearsAll = pod("bears-all", "a", "[{operator: Exists}]");
        ObjectKey bearsNothing = pod("bears-nothing", "a", "[]");
        turn("a", 0, "Unknown");
        assertThat(leaves(bearsNothing)).isTrue();
        assertThat(rig.events("bears-nothing"))
                .containsExactly("TaintManagerEviction: Marking for deletion Pod default/bears-nothing");
        assertThat(condition(rig.get(bearsNothing), "DisruptionTarget"))
                .isEqualTo("True/DeletionByTaintManager/Taint manager: deleting due to NoExecute taint");
        rig.pass(290);
        assertThat(leaves(bears)).isFalse();
        rig.pass(11);
        assertThat(leaves(bears)).isTrue();
        assertThat(leaves(bearsAll)).isFalse();
    }

    @Test
    void aNodeThatComesBackInTimeKeepsItsPods() {
        ObjectKey bears = pod("bears", "a", BEARS);
        turn("a", 0, "Unknown");
        rig.pass(100);
        turn("a", 0, "True");
        assertThat(rig.events("bears"))
                .containsExactly("TaintManagerEviction: Cancelling deletion of Pod default/bears");
        rig.pass(400);
        assertThat(leaves(bears)).isFalse();
    }

    @Test
    void nodesAreEmptiedOneByOneAndNotAtAllWhenNoneIsLeft() {
        rig.change(key("a"), node -> ((ObjectNode) node.at("/status/conditions/0")).put("status", "Unknown"));
        turn("b", 0, "Unknown");
        String execute = "node.kubernetes.io/unreachable:NoExecute";
        assertThat(List.of(taints("a").contains(execute), taints("b").contains(execute))).containsOnlyOnce(true);
        rig.pass(11);
        assertThat(List.of(taints("a").contains(execute), taints("b").contains(execute))).containsOnly(true);
        rig.change(key("c"), node -> ((ObjectNode) node.at("/status/conditions/0")).put("status", "Unknown"));
        turn("d", 0, "Unknown");
        rig.pass(30);
        assertThat(List.of("a", "b", "c", "d")).allSatisfy(node -> assertThat(taints(node))
                .containsExactly("node.kubernetes.io/unreachable:NoSchedule"));
    }

    @Test
    void podsOfANodeThatIsGoneAreCollectedAfterAWhile() {
        ObjectKey pod = pod("lost", "a", "[]");
        rig.pass(0);
        rig.store.purge(key("a"));
        rig.pass(30);
        assertThat(rig.has(pod)).isTrue();
        rig.pass(15);
        assertThat(rig.has(pod)).isFalse();
    }

    @Test
    void aNodeOutOfServiceLetsGoOfPodsThatCannotStop() {
        ObjectKey pod = pod("stuck", "a", "[{operator: Exists}]");
        turn("a", 0, "Unknown");
        rig.store.delete(pod, 30, Preconditions.NONE);
        rig.pass(60);
        assertThat(rig.has(pod)).isTrue();
        rig.change(key("a"), node -> node.withObjectProperty("spec").withArrayProperty("taints").addObject()
                .put("key", "node.kubernetes.io/out-of-service").put("value", "nodeshutdown").put("effect", "NoExecute"));
        rig.pass(0);
        assertThat(rig.has(pod)).isFalse();
    }

    @Test
    void ofTooManyPodsThatHaveEndedTheOldestGo() {
        for (String name : List.of("one", "two", "three")) {
            rig.put("v1", "Pod", "default", name, "{spec: {}, status: {phase: Succeeded}}");
            rig.pass(Duration.ofSeconds(5));
        }
        assertThat(rig.has(rig.key("v1", "Pod", "default", "one"))).isFalse();
        assertThat(rig.has(rig.key("v1", "Pod", "default", "three"))).isTrue();
    }

    @Test
    void aNodeNobodyStandsBehindBecomesUnknown() {
        node("ghost");
        ObjectKey pod = pod("haunted", "ghost", BEARS);
        rig.pass(49);
        assertThat(condition(rig.get(key("ghost")), "Ready")).startsWith("True");
        rig.pass(2);
        assertThat(condition(rig.get(key("ghost")), "Ready"))
                .isEqualTo("Unknown/NodeStatusUnknown/Kubelet stopped posting node status.");
        assertThat(condition(rig.get(key("ghost")), "PIDPressure"))
                .isEqualTo("Unknown/NodeStatusNeverUpdated/Kubelet never posted node status.");
        assertThat(rig.events("ghost")).contains("NodeNotReady: Node ghost status is now: NodeNotReady");
        assertThat(condition(rig.get(pod), "Ready")).startsWith("False");
        assertThat(taints("ghost")).contains("node.kubernetes.io/unreachable:NoExecute");
    }
}
