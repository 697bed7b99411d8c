package dev.pitwall.lab.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.object.Conditions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PreemptionTest {
    private static final String HIGH = "spec: {priority: 1000}";

    private final SchedulerRig rig = new SchedulerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    /** A pod that runs. */
    private void running(String name, String node, String requests, String more) {
        rig.asking(name, requests, "spec: {nodeName: " + node + "}\nstatus: {phase: Running, startTime:"
                + " '2026-09-01T07:00:00Z'}");
        rig.lay(SchedulerRig.pod(name), more);
    }

    private boolean isLeaving(String pod) {
        return rig.tree(pod).path("metadata").has("deletionTimestamp");
    }

    @Test
    void a_lesser_pod_leaves_with_its_grace_and_the_winner_waits_for_its_node() {
        rig.node("gpu-a", "status: {allocatable: {nvidia.com/gpu: '1'}}");
        running("notebook", "gpu-a", "nvidia.com/gpu: 1", "spec: {terminationGracePeriodSeconds: 60}");
        rig.pass(1);
        rig.asking("serving", "nvidia.com/gpu: 1", HIGH);
        rig.pass(5);

        assertThat(rig.tree("notebook").at("/metadata/deletionGracePeriodSeconds").asInt()).isEqualTo(60);
        var target = Conditions.find(rig.tree("notebook"), "DisruptionTarget");
        assertThat(target.path("reason").asText()).isEqualTo("PreemptionByScheduler");
        assertThat(target.path("message").asText())
                .isEqualTo("default-scheduler: preempting to accommodate a higher priority pod");
        assertThat(rig.events("notebook")).containsExactly("Preempted x1: Preempted by pod "
                + rig.tree("serving").at("/metadata/uid").asText() + " on node gpu-a");
        assertThat(rig.nodeOf("serving")).isEmpty();
        assertThat(rig.tree("serving").at("/status/nominatedNodeName").asText()).isEqualTo("gpu-a");
        assertThat(rig.why("serving")).isEqualTo("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.");

        rig.gone("notebook");
        rig.pass(12);
        assertThat(rig.nodeOf("serving")).isEqualTo("gpu-a");
    }

    @Test
    void nobody_leaves_twice_while_somebody_is_leaving() {
        rig.node("gpu-a", "status: {allocatable: {nvidia.com/gpu: '1'}}");
        rig.node("gpu-b", "status: {allocatable: {nvidia.com/gpu: '1'}}");
        running("one", "gpu-a", "nvidia.com/gpu: 1", "{}");
        running("two", "gpu-b", "nvidia.com/gpu: 1", "{}");
        rig.asking("serving", "nvidia.com/gpu: 1", HIGH);
        rig.pass(320);
        assertThat(isLeaving("one") ^ isLeaving("two")).isTrue();
        assertThat(rig.why("serving")).isEqualTo("0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: not"
                + " eligible due to a terminating pod on the nominated node.");
        assertThat(rig.tree("serving").at("/status/nominatedNodeName").asText()).isNotEmpty();
    }

    @Test
    void a_pod_that_may_not_preempt_says_so_and_waits() {
        rig.node("node-a");
        running("low", "node-a", "cpu: 3", "{}");
        rig.asking("polite", "cpu: 3", "spec: {priority: 1000, preemptionPolicy: Never}");
        rig.pass(1);
        assertThat(isLeaving("low")).isFalse();
        assertThat(rig.why("polite")).isEqualTo("0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due"
                + " to preemptionPolicy=Never.");
    }

    @Test
    void only_as_many_leave_as_have_to_and_the_least_first() {
        rig.node("node-a");
        running("low", "node-a", "cpu: 1", "{}");
        running("middle", "node-a", "cpu: 1", "spec: {priority: 10}");
        running("large", "node-a", "cpu: 2", "spec: {priority: 20}");
        rig.asking("high", "cpu: 1", HIGH);
        rig.pass(1);
        assertThat(isLeaving("low")).isTrue();
        assertThat(isLeaving("middle")).isFalse();
        assertThat(isLeaving("large")).isFalse();
    }

    @Test
    void pods_that_are_as_important_stay() {
        rig.node("node-a");
        running("equal", "node-a", "cpu: 3", HIGH);
        rig.asking("high", "cpu: 3", HIGH);
        rig.pass(1);
        assertThat(rig.why("high")).endsWith("preemption: 0/1 nodes are available: 1 No preemption victims found for"
                + " incoming pod.");
    }

    @Test
    void what_would_be_short_even_without_them_is_said() {
        rig.node("node-a");
        running("low", "node-a", "cpu: 3", "{}");
        rig.asking("high", "cpu: 64", HIGH);
        rig.pass(1);
        assertThat(isLeaving("low")).isFalse();
        assertThat(rig.why("high")).isEqualTo("0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are"
                + " available: 1 Insufficient cpu.");
    }

    @Test
    void a_node_whose_pods_no_budget_protects_is_chosen() {
        rig.node("node-a");
        rig.node("node-b");
        running("guarded", "node-a", "cpu: 3", "metadata: {labels: {app: db}}");
        running("free", "node-b", "cpu: 3", "metadata: {labels: {app: web}}\nspec: {priority: 100}");
        rig.object(ControlPlane.BUDGETS, "default", "db", "spec: {minAvailable: 1, selector: {matchLabels: {app: db}}}\n"
                + "status: {disruptionsAllowed: 0}");
        rig.asking("high", "cpu: 3", HIGH);
        rig.pass(1);
        assertThat(isLeaving("free")).isTrue();
        assertThat(isLeaving("guarded")).isFalse();
    }

    @Test
    void a_budget_does_not_hold_where_there_is_no_other_way() {
        rig.node("node-a");
        running("guarded", "node-a", "cpu: 3", "metadata: {labels: {app: db}}");
        rig.object(ControlPlane.BUDGETS, "default", "db", "spec: {minAvailable: 1, selector: {matchLabels: {app: db}}}\n"
                + "status: {disruptionsAllowed: 0}");
        rig.asking("high", "cpu: 3", HIGH);
        rig.pass(1);
        assertThat(isLeaving("guarded")).isTrue();
    }

    @Test
    void of_two_nodes_the_one_with_the_lesser_pod_is_chosen_and_then_the_one_that_ran_for_a_shorter_time() {
        rig.node("node-a");
        rig.node("node-b");
        rig.node("node-c");
        running("ten", "node-a", "cpu: 3", "spec: {priority: 10}");
        running("old", "node-b", "cpu: 3", "{}");
        running("young", "node-c", "cpu: 3", "status: {startTime: '2026-09-01T07:59:00Z'}");
        rig.asking("high", "cpu: 3", HIGH);
        rig.pass(1);
        assertThat(isLeaving("young")).isTrue();
        assertThat(isLeaving("old")).isFalse();
        assertThat(isLeaving("ten")).isFalse();
    }

    @Test
    void the_room_that_others_left_is_not_taken_by_a_lesser_pod() {
        rig.node("gpu-a", "status: {allocatable: {nvidia.com/gpu: '1'}}");
        running("notebook", "gpu-a", "nvidia.com/gpu: 1", "{}");
        rig.asking("serving", "nvidia.com/gpu: 1", HIGH);
        rig.pass(1);
        rig.gone("notebook");
        rig.asking("thief", "nvidia.com/gpu: 1");
        rig.pass(12);
        assertThat(rig.nodesOf("serving", "thief")).containsExactly("gpu-a", "");
    }

    @Test
    void a_pod_that_keeps_others_away_can_be_made_to_leave() {
        rig.node("node-a");
        running("loner", "node-a", "cpu: 1", "spec: {affinity: {podAntiAffinity: {"
                + "requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector:"
                + " {matchLabels: {app: web}}}]}}}");
        rig.asking("high", "cpu: 1", HIGH + "\nmetadata: {labels: {app: web}}");
        rig.pass(1);
        assertThat(isLeaving("loner")).isTrue();
        rig.gone("loner");
        rig.pass(12);
        assertThat(rig.nodeOf("high")).isEqualTo("node-a");
    }

    @Test
    void a_taint_is_no_reason_for_anybody_to_leave() {
        rig.node("gpu-a", "spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}");
        running("low", "gpu-a", "cpu: 3", "{}");
        rig.asking("high", "cpu: 3", HIGH);
        rig.pass(1);
        assertThat(isLeaving("low")).isFalse();
    }
}
