package dev.pitwall.lab.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.store.Resource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerTest {
    private static final String TAINT = "spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}";
    private static final String NO_HELP = " preemption: 0/%1$d nodes are available: %1$d Preemption is not helpful for"
            + " scheduling.";

    private final SchedulerRig rig = new SchedulerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static String gpus(String resource, int count) {
        return "status: {allocatable: {%s: \"%d\"}}".formatted(resource, count);
    }

    @Test
    void a_pod_is_bound_with_its_condition_and_an_event() {
        rig.node("node-a");
        rig.pod("web", "{}");
        rig.pass(1);
        assertThat(rig.nodeOf("web")).isEqualTo("node-a");
        assertThat(rig.scheduled("web").path("status").asText()).isEqualTo("True");
        assertThat(rig.events("web")).containsExactly("Scheduled x1: Successfully assigned default/web to node-a");
    }

    @Test
    void a_pod_of_another_scheduler_and_one_that_is_leaving_are_left_alone() {
        rig.node("node-a");
        rig.pod("theirs", "spec: {schedulerName: volcano}");
        rig.pod("leaving", "metadata: {finalizers: [example.com/books]}");
        rig.leave("leaving");
        rig.pass(400);
        assertThat(rig.nodesOf("theirs", "leaving")).containsOnly("");
        assertThat(rig.events("theirs")).isEmpty();
    }

    @Test
    void without_nodes_there_is_nothing_to_count() {
        rig.pod("web", "{}");
        rig.pass(1);
        assertThat(rig.why("web")).isEqualTo("no nodes available to schedule pods");
        rig.node("node-a");
        rig.pass(2);
        assertThat(rig.nodeOf("web")).isEqualTo("node-a");
    }

    @Test
    void mixed_reasons_are_counted_and_sorted_by_their_text() {
        rig.node("tainted", TAINT);
        rig.node("cordoned", "spec: {unschedulable: true}");
        rig.node("small-1");
        rig.node("small-2");
        rig.asking("trainer", "nvidia.com/gpu: 1, cpu: 9");
        rig.pass(1);
        assertThat(rig.why("trainer")).isEqualTo("0/4 nodes are available: 1 node(s) had untolerated taint"
                + " {nvidia.com/gpu: present}, 1 node(s) were unschedulable, 2 Insufficient cpu, 2 Insufficient"
                + " nvidia.com/gpu. preemption: 0/4 nodes are available: 2 No preemption victims found for incoming pod,"
                + " 2 Preemption is not helpful for scheduling.");
        assertThat(rig.scheduled("trainer").path("reason").asText()).isEqualTo("Unschedulable");
        assertThat(rig.events("trainer")).containsExactly("FailedScheduling x1: " + rig.why("trainer"));
    }

    @ParameterizedTest
    @CsvSource({"nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb", "hugepages-2Mi"})
    void an_extended_resource_is_had_as_often_as_the_node_has_it_under_its_own_name(String resource) {
        rig.node("gpu-a", gpus(resource, 2));
        for (String pod : new String[] {"pod-1", "pod-2", "pod-3"}) {
            rig.asking(pod, resource + ": 1");
        }
        rig.pass(1);
        assertThat(rig.nodesOf("pod-1", "pod-2", "pod-3")).containsExactly("gpu-a", "gpu-a", "");
        assertThat(rig.why("pod-3")).startsWith("0/1 nodes are available: 1 Insufficient " + resource + ". preemption:"
                + " 0/1 nodes are available: 1 No preemption victims found for incoming pod.");
        rig.gone("pod-1");
        rig.pass(2);
        assertThat(rig.nodeOf("pod-3")).isEqualTo("gpu-a");
    }

    @Test
    void a_finished_pod_holds_nothing_and_a_terminating_one_holds_all() {
        rig.node("gpu-a", gpus("nvidia.com/gpu", 1));
        rig.asking("first", "nvidia.com/gpu: 1");
        rig.pass(1);
        rig.leave("first");
        rig.asking("second", "nvidia.com/gpu: 1");
        rig.pass(20);
        assertThat(rig.nodeOf("second")).isEmpty();
        rig.lay(SchedulerRig.pod("first"), "status: {phase: Succeeded}");
        rig.pass(12);
        assertThat(rig.nodeOf("second")).isEqualTo("gpu-a");
    }

    @Test
    void a_pod_waits_for_a_resource_until_the_device_plugin_has_registered_it() {
        rig.node("gpu-a");
        rig.asking("cuda", "nvidia.com/gpu: 1");
        rig.pass(60);
        assertThat(rig.nodeOf("cuda")).isEmpty();
        rig.lay(NodeFacts.key("gpu-a"), gpus("nvidia.com/gpu", 1));
        rig.pass(2);
        assertThat(rig.nodeOf("cuda")).isEqualTo("gpu-a");
    }

    @Test
    void too_many_pods_are_refused_by_the_nodes_own_limit() {
        rig.node("node-a", "status: {allocatable: {pods: '1'}}");
        rig.pod("one", "{}");
        rig.pod("two", "{}");
        rig.pass(1);
        assertThat(rig.why("two")).startsWith("0/1 nodes are available: 1 Too many pods.");
    }

    @Test
    void a_taint_needs_a_toleration_that_fits_it() {
        rig.node("gpu-a", TAINT);
        rig.pod("plain", "{}");
        rig.pod("exists", "spec: {tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]}");
        rig.pod("equal", "spec: {tolerations: [{key: nvidia.com/gpu, value: present}]}");
        rig.pod("other-value", "spec: {tolerations: [{key: nvidia.com/gpu, value: 'true', effect: NoSchedule}]}");
        rig.pod("other-effect", "spec: {tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoExecute}]}");
        rig.pass(1);
        assertThat(rig.nodesOf("exists", "equal")).containsOnly("gpu-a");
        assertThat(rig.nodesOf("plain", "other-value", "other-effect")).containsOnly("");
        assertThat(rig.why("plain")).isEqualTo("0/1 nodes are available: 1 node(s) had untolerated taint"
                + " {nvidia.com/gpu: present}." + NO_HELP.formatted(1));
    }

    @Test
    void a_taint_that_only_prefers_is_the_last_choice_but_one() {
        rig.node("avoided", "spec: {taints: [{key: slow, effect: PreferNoSchedule}]}");
        rig.node("node-b");
        rig.pod("one", "{}");
        rig.pass(1);
        assertThat(rig.nodeOf("one")).isEqualTo("node-b");
    }

    @Test
    void a_cordoned_node_takes_only_pods_that_tolerate_it_until_it_is_uncordoned() {
        rig.node("node-a", "spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}");
        rig.pod("web", "{}");
        rig.pod("agent", "spec: {tolerations: [{operator: Exists}]}");
        rig.pass(1);
        assertThat(rig.nodesOf("web", "agent")).containsExactly("", "node-a");
        assertThat(rig.why("web")).isEqualTo("0/1 nodes are available: 1 node(s) were unschedulable."
                + NO_HELP.formatted(1));
        rig.change(NodeFacts.key("node-a"), node -> node.withObjectProperty("spec").removeAll());
        rig.pass(2);
        assertThat(rig.nodeOf("web")).isEqualTo("node-a");
    }

    @Test
    void a_node_selector_and_node_affinity_both_have_to_be_met() {
        rig.node("gpu-a", "metadata: {labels: {card: rtx, memory: '8192'}}");
        rig.node("gpu-b", "metadata: {labels: {card: rtx, memory: '24576'}}");
        String large = "spec: {nodeSelector: {card: rtx}, affinity: {nodeAffinity: {"
                + "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: ["
                + "{key: memory, operator: Gt, values: ['%s']}]}]}}}}";
        rig.pod("fits", large.formatted("10000"));
        rig.pod("too-large", large.formatted("30000"));
        rig.pass(1);
        assertThat(rig.nodeOf("fits")).isEqualTo("gpu-b");
        assertThat(rig.why("too-large")).isEqualTo("0/2 nodes are available: 2 node(s) didn't match Pod's node"
                + " affinity/selector." + NO_HELP.formatted(2));
        rig.lay(NodeFacts.key("gpu-a"), "metadata: {labels: {memory: '49152'}}");
        rig.pass(2);
        assertThat(rig.nodeOf("too-large")).isEqualTo("gpu-a");
    }

    @Test
    void a_preferred_node_wins_though_it_is_fuller() {
        rig.node("node-a");
        rig.node("node-b", "metadata: {labels: {disk: fast}}");
        rig.asking("before", "cpu: 1, memory: 2Gi", "spec: {nodeSelector: {disk: fast}}");
        rig.pod("one", "spec: {affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: ["
                + "{weight: 1, preference: {matchExpressions: [{key: disk, operator: In, values: [fast]}]}}]}}}");
        rig.pass(1);
        assertThat(rig.nodesOf("before", "one")).containsOnly("node-b");
    }

    @Test
    void a_daemon_sets_pod_looks_at_the_node_it_is_made_for_alone() {
        rig.node("node-a", "status: {allocatable: {cpu: '1'}}");
        rig.node("node-b");
        rig.node("node-c");
        rig.asking("agent", "cpu: 2", "spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                + " {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-a]}]}]}}}}");
        rig.pass(1);
        assertThat(rig.why("agent")).isEqualTo("0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy"
                + " plugin(s) [NodeAffinity]. preemption: 0/3 nodes are available: 1 No preemption victims found for"
                + " incoming pod, 2 Preemption is not helpful for scheduling.");
    }

    @Test
    void a_host_port_is_had_once_a_node_and_address() {
        rig.node("node-a");
        rig.node("node-b");
        String port = "spec: {containers: [{name: main, image: x, ports: [{containerPort: 80, hostPort: 8080%s}]}]}";
        rig.pod("a", port.formatted(""));
        rig.pod("b", port.formatted(""));
        rig.pod("c", port.formatted(""));
        rig.pod("udp", port.formatted(", protocol: UDP"));
        rig.pod("own-network", "spec: {hostNetwork: true, containers: [{name: main, image: x, ports: [{containerPort: 8080}]}]}");
        rig.pass(1);
        assertThat(rig.nodesOf("a", "b")).containsExactlyInAnyOrder("node-a", "node-b");
        assertThat(rig.nodeOf("udp")).isNotEmpty();
        assertThat(rig.nodesOf("c", "own-network")).containsOnly("");
        assertThat(rig.why("c")).startsWith("0/2 nodes are available: 2 node(s) didn't have free ports for the"
                + " requested pod ports. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming"
                + " pod.");
    }

    @Test
    void host_ports_of_two_addresses_do_not_clash() {
        rig.node("node-a");
        String port = "spec: {containers: [{name: main, image: x, ports: [{containerPort: 80, hostPort: 8080, hostIP: %s}]}]}";
        rig.pod("one", port.formatted("10.0.0.1"));
        rig.pod("two", port.formatted("10.0.0.2"));
        rig.pod("z-every", port.formatted("0.0.0.0"));
        rig.pass(1);
        assertThat(rig.nodesOf("one", "two", "z-every")).containsExactly("node-a", "node-a", "");
    }

    @Test
    void the_more_important_pod_goes_first_and_of_equals_the_older() {
        rig.asking("young-low", "cpu: 3");
        rig.asking("low", "cpu: 3", "metadata: {creationTimestamp: '2026-09-01T07:00:00Z'}");
        rig.asking("high", "cpu: 3", "spec: {priority: 1000}");
        rig.node("node-a");
        rig.pass(1);
        assertThat(rig.nodesOf("young-low", "low", "high")).containsExactly("", "", "node-a");
    }

    @Test
    void a_gated_pod_waits_without_a_word_until_its_gates_are_gone() {
        rig.node("node-a");
        rig.pod("gated", "spec: {schedulingGates: [{name: example.com/quota}]}");
        rig.pass(10);
        assertThat(rig.scheduled("gated").path("reason").asText()).isEqualTo("SchedulingGated");
        assertThat(rig.why("gated")).isEqualTo("Scheduling is blocked due to non-empty scheduling gates");
        assertThat(rig.events("gated")).isEmpty();
        rig.change(SchedulerRig.pod("gated"), pod -> pod.withObjectProperty("spec").remove("schedulingGates"));
        rig.pass(1);
        assertThat(rig.nodeOf("gated")).isEqualTo("node-a");
    }

    @Test
    void a_stuck_pod_is_tried_again_every_five_minutes_and_not_in_between() {
        rig.node("node-a");
        rig.asking("large", "cpu: 64");
        rig.pass(1);
        long after = rig.store.lastChange(Resource.EVENTS);
        rig.pass(290);
        assertThat(rig.store.lastChange(Resource.EVENTS)).isEqualTo(after);
        rig.pass(320);
        assertThat(rig.events("large")).singleElement().asString().startsWith("FailedScheduling x3: ");
    }

    @Test
    void retries_come_at_most_every_ten_seconds_however_much_happens() {
        rig.node("gpu-a", gpus("nvidia.com/gpu", 1));
        rig.asking("holder", "nvidia.com/gpu: 1");
        rig.pass(1);
        rig.asking("waiter", "nvidia.com/gpu: 1");
        for (int i = 0; i < 120; i++) {
            int beat = i;
            rig.lay(NodeFacts.key("gpu-a"), "metadata: {labels: {beat: '" + beat + "'}}");
            rig.pass(1);
        }
        // 1, 2, 4, 8 and then 10 seconds apart.
        assertThat(rig.events("waiter")).singleElement().asString()
                .matches("FailedScheduling x1[3-6]: .*");
    }

    @Test
    void a_heartbeat_wakes_nobody() {
        rig.node("node-a");
        rig.asking("large", "cpu: 64");
        rig.pass(1);
        for (int i = 10; i < 40; i++) {
            rig.lay(NodeFacts.key("node-a"), "status: {conditions: [{type: Ready, status: 'True', lastHeartbeatTime:"
                    + " '2026-09-01T08:00:" + i + "Z'}]}");
            rig.pass(5);
        }
        assertThat(rig.events("large")).singleElement().asString().startsWith("FailedScheduling x1: ");
    }

    @Test
    void a_changed_pod_is_looked_at_again() {
        rig.node("gpu-a", TAINT);
        rig.pod("web", "{}");
        rig.pass(20);
        rig.lay(SchedulerRig.pod("web"), "spec: {tolerations: [{key: nvidia.com/gpu, operator: Exists}]}");
        rig.pass(1);
        assertThat(rig.nodeOf("web")).isEqualTo("gpu-a");
    }

    @Test
    void a_pod_bound_by_hand_takes_its_room_though_nobody_asked_the_scheduler() {
        rig.node("node-a");
        rig.asking("by-hand", "cpu: 3", "spec: {nodeName: node-a}");
        rig.asking("second", "cpu: 2");
        rig.pass(1);
        assertThat(rig.why("second")).startsWith("0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(rig.events("by-hand")).isEmpty();
    }
}
