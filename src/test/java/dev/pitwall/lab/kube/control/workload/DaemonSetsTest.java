package dev.pitwall.lab.kube.control.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.object.Toleration;
import dev.pitwall.lab.kube.store.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DaemonSetsTest {
    private static final Resource SETS = ControlPlane.DAEMON_SETS;
    private static final String HASH = "controller-revision-hash";
    private final List<Integer> available = new ArrayList<>();
    private final List<Integer> totals = new ArrayList<>();
    private WorkloadRig rig;

    @BeforeEach
    void start() {
        rig = new WorkloadRig(r -> {
            totals.add(r.pods().size());
            available.add((int) r.active().stream().filter(PodFacts::ready).count());
        });
        rig.node("n1", "gpu: 'yes'");
        rig.node("n2", "gpu: 'yes'");
        rig.node("n3", "gpu: 'yes'");
        rig.node("n4", "gpu: 'no'");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void daemons(String spec, String more) {
        rig.create(SETS, """
                metadata: {name: agent, annotations: {deprecated.daemonset.template.generation: '1'}}
                spec:
                  selector: {matchLabels: {app: agent}}
                  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: main, image: one}], %s}}
                %s
                """.formatted(spec, more.indent(2)));
    }

    private void everywhereWithCards(String more) {
        daemons("nodeSelector: {gpu: 'yes'}", more);
    }

    private JsonNode status() {
        return rig.status(SETS, "agent");
    }

    private String counts() {
        StringBuilder counts = new StringBuilder();
        for (String field : List.of("desiredNumberScheduled", "currentNumberScheduled", "numberMisscheduled",
                "numberReady", "updatedNumberScheduled", "numberAvailable", "numberUnavailable")) {
            counts.append(status().has(field) ? status().path(field).asText() : "-").append(' ');
        }
        return counts.toString().trim();
    }

    private List<String> nodes() {
        return rig.pods().stream().map(PodFacts::node).sorted().toList();
    }

    private void taint(String node, String taint) {
        rig.change(NodeFacts.NODES, node, tree -> tree.withObjectProperty("spec").putArray("taints")
                .add(WorkloadRig.yaml(taint)));
    }

    private List<ObjectNode> revisions() {
        return rig.all(ControlPlane.REVISIONS).stream()
                .sorted(Comparator.comparingLong(revision -> revision.path("revision").asLong())).toList();
    }

    private void forgetWhatWasSeen() {
        totals.clear();
        available.clear();
    }

    @Test
    void each_node_that_fits_has_one_pod_tied_to_it() {
        everywhereWithCards("");
        rig.pass(10);
        assertThat(nodes()).containsExactly("n1", "n2", "n3");
        assertThat(counts()).isEqualTo("3 3 0 3 3 3 -");
        assertThat(status().path("observedGeneration").asInt()).isEqualTo(1);
        PodFacts pod = rig.pods().getFirst();
        JsonNode tree = pod.object().tree();
        assertThat(pod.key().name()).matches("agent-[bcdfghjklmnpqrstvwxz2456789]{5}");
        assertThat(pod.labels()).containsEntry("pod-template-generation", "1").containsKey(HASH);
        assertThat(tree.at("/spec/affinity").toString()).isEqualTo("{\"nodeAffinity\":{"
                + "\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":[{\"matchFields\":["
                + "{\"key\":\"metadata.name\",\"operator\":\"In\",\"values\":[\"" + pod.node() + "\"]}]}]}}}");
        assertThat(Toleration.of(tree.at("/spec/tolerations"))).extracting(Toleration::key, Toleration::effect)
                .extracting(Object::toString).containsExactly("(\"node.kubernetes.io/not-ready\", \"NoExecute\")",
                        "(\"node.kubernetes.io/unreachable\", \"NoExecute\")",
                        "(\"node.kubernetes.io/disk-pressure\", \"NoSchedule\")",
                        "(\"node.kubernetes.io/memory-pressure\", \"NoSchedule\")",
                        "(\"node.kubernetes.io/pid-pressure\", \"NoSchedule\")",
                        "(\"node.kubernetes.io/unschedulable\", \"NoSchedule\")");
        assertThat(rig.events("DaemonSet", "agent")).hasSize(3)
                .allMatch(event -> event.startsWith("SuccessfulCreate: Created pod: agent-"));
    }

    @Test
    void a_host_network_daemon_comes_before_the_network() {
        daemons("hostNetwork: true", "");
        taint("n1", "{key: node.kubernetes.io/network-unavailable, effect: NoSchedule}");
        taint("n2", "{key: node.kubernetes.io/unschedulable, effect: NoSchedule}");
        taint("n3", "{key: node.kubernetes.io/not-ready, effect: NoExecute}");
        rig.pass(10);
        assertThat(nodes()).containsExactly("n1", "n2", "n3", "n4");
    }

    @Test
    void the_template_is_kept_as_a_revision_that_undo_can_bring_back() {
        everywhereWithCards("");
        rig.pass(10);
        ObjectNode revision = revisions().getFirst();
        String hash = revision.at("/metadata/labels").path(HASH).asText();
        assertThat(WorkloadRig.name(revision)).isEqualTo("agent-" + hash);
        assertThat(revision.path("revision").asInt()).isEqualTo(1);
        assertThat(revision.at("/data/spec/template/$patch").asText()).isEqualTo("replace");
        assertThat(revision.at("/data/spec/template/spec/containers/0/image").asText()).isEqualTo("one");
        assertThat(rig.pods()).allSatisfy(pod -> assertThat(pod.labels()).containsEntry(HASH, hash));
        rig.image(SETS, "agent", "two");
        rig.pass(30);
        assertThat(revisions()).extracting(r -> r.path("revision").asInt()).containsExactly(1, 2);
        rig.image(SETS, "agent", "one");
        rig.pass(30);
        assertThat(revisions()).extracting(r -> r.path("revision").asInt()).containsExactly(2, 3);
        assertThat(WorkloadRig.name(revisions().getLast())).isEqualTo("agent-" + hash);
    }

    @Test
    void only_as_many_old_revisions_stay_as_the_history_may_have() {
        everywhereWithCards("revisionHistoryLimit: 1");
        for (String image : List.of("two", "three", "four")) {
            rig.pass(30);
            rig.image(SETS, "agent", image);
        }
        rig.pass(30);
        assertThat(revisions()).extracting(r -> r.path("revision").asInt()).containsExactly(3, 4);
    }

    @Test
    void a_rolling_update_takes_one_node_after_the_other() {
        everywhereWithCards("");
        rig.pass(10);
        forgetWhatWasSeen();
        rig.image(SETS, "agent", "two");
        rig.pass(60);
        assertThat(available).allMatch(count -> count >= 2);
        assertThat(totals).allMatch(total -> total <= 3);
        assertThat(rig.pods()).hasSize(3).allMatch(pod -> WorkloadRig.image(pod).equals("two"));
        assertThat(counts()).isEqualTo("3 3 0 3 3 3 -");
        assertThat(status().path("observedGeneration").asInt()).isEqualTo(2);
    }

    @Test
    void a_broken_template_stops_at_the_first_node() {
        everywhereWithCards("");
        rig.pass(10);
        rig.image(SETS, "agent", "bad");
        rig.pass(60);
        assertThat(rig.count(WorkloadRig::image)).isEqualTo(Map.of("one", 2L, "bad", 1L));
        assertThat(counts()).isEqualTo("3 3 0 2 1 2 1");
        rig.image(SETS, "agent", "three");
        rig.pass(60);
        assertThat(rig.count(WorkloadRig::image)).isEqualTo(Map.of("three", 3L));
    }

    /** Kubernetes issue 123232: what does not work already does not count against the limit. */
    @Test
    void each_further_broken_template_costs_one_more_node() {
        everywhereWithCards("");
        for (String image : List.of("bad", "bad:2", "bad:3")) {
            rig.pass(10);
            rig.image(SETS, "agent", image);
        }
        rig.pass(10);
        assertThat(rig.pods()).hasSize(3).noneMatch(PodFacts::ready);
    }

    @Test
    void a_surge_leaves_an_old_pod_where_no_new_one_may_come_until_it_is_spare() {
        everywhereWithCards("updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}");
        rig.pass(10);
        taint("n1", "{key: mine, effect: NoSchedule}");
        rig.image(SETS, "agent", "two");
        rig.pass(60);
        assertThat(nodes()).containsExactly("n2", "n3");
        assertThat(rig.pods()).allMatch(pod -> WorkloadRig.image(pod).equals("two"));
    }

    @Test
    void a_share_of_nodes_may_be_missing_rounded_up() {
        everywhereWithCards("updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 40%}}");
        rig.pass(10);
        rig.image(SETS, "agent", "bad");
        rig.pass(30);
        assertThat(rig.count(WorkloadRig::image)).isEqualTo(Map.of("one", 1L, "bad", 2L));
    }

    @Test
    void on_delete_leaves_old_pods_until_somebody_deletes_them() {
        everywhereWithCards("updateStrategy: {type: OnDelete}");
        rig.pass(10);
        rig.image(SETS, "agent", "two");
        rig.pass(60);
        assertThat(rig.count(WorkloadRig::image)).isEqualTo(Map.of("one", 3L));
        assertThat(counts()).isEqualTo("3 3 0 3 - 3 -");
        rig.hand.delete(rig.pods().getFirst().key());
        rig.pass(30);
        assertThat(rig.count(WorkloadRig::image)).isEqualTo(Map.of("one", 2L, "two", 1L));
        assertThat(counts()).isEqualTo("3 3 0 3 1 3 -");
    }

    @Test
    void with_a_surge_the_new_pod_is_there_before_the_old_one_goes() {
        everywhereWithCards("updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}");
        rig.pass(10);
        forgetWhatWasSeen();
        rig.image(SETS, "agent", "two");
        rig.pass(60);
        assertThat(available).allMatch(count -> count >= 3);
        assertThat(rig.active()).hasSize(3).allMatch(pod -> WorkloadRig.image(pod).equals("two"));
        rig.image(SETS, "agent", "bad");
        rig.pass(30);
        assertThat(rig.count(WorkloadRig::image)).isEqualTo(Map.of("two", 3L, "bad", 1L));
    }

    @Test
    void a_node_that_comes_or_goes_by_its_labels_gets_or_loses_its_pod() {
        everywhereWithCards("");
        rig.pass(10);
        rig.change(NodeFacts.NODES, "n4", tree -> ((ObjectNode) tree.at("/metadata/labels")).put("gpu", "yes"));
        rig.change(NodeFacts.NODES, "n1", tree -> ((ObjectNode) tree.at("/metadata/labels")).put("gpu", "no"));
        rig.node("n5", "gpu: 'yes'");
        rig.pass(10);
        assertThat(nodes()).containsExactly("n2", "n3", "n4", "n5");
        assertThat(counts()).isEqualTo("4 4 0 4 4 4 -");
        assertThat(rig.events("DaemonSet", "agent")).anyMatch(event ->
                event.startsWith("SuccessfulDelete: Deleted pod: agent-"));
    }

    @Test
    void a_taint_against_new_pods_leaves_the_old_one_there_and_one_against_all_does_not() {
        everywhereWithCards("");
        rig.pass(10);
        taint("n1", "{key: mine, effect: NoSchedule}");
        taint("n2", "{key: mine, effect: NoExecute}");
        rig.pass(10);
        assertThat(nodes()).containsExactly("n1", "n3");
        assertThat(counts()).isEqualTo("1 1 1 1 1 1 -");
    }

    @Test
    void a_pod_for_a_node_that_is_gone_goes_too() {
        everywhereWithCards("");
        rig.pass(10);
        rig.hand.create(WorkloadRig.key(Pods.PODS, "agent-lost"), WorkloadRig.yaml("""
                metadata: {labels: {app: agent}}
                spec:
                  containers: [{name: main, image: one}]
                  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                    {matchFields: [{key: metadata.name, operator: In, values: [n9]}]}]}}}
                status: {phase: Pending}
                """));
        rig.hand.purge(WorkloadRig.key(NodeFacts.NODES, "n4"));
        rig.pass(10);
        assertThat(nodes()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void failed_pods_are_made_again_each_time_later() {
        daemons("nodeSelector: {gpu: 'no'}", "");
        rig.pass(10);
        rig.image(SETS, "agent", "dead");
        rig.pass(60);
        List<String> killed = rig.events("DaemonSet", "agent").stream()
                .filter(event -> event.startsWith("FailedDaemonPod: ")).toList();
        // At once, and then not before 1, 2, 4, 8 and 16 s have passed since the last.
        assertThat(killed).hasSizeBetween(4, 6).allMatch(event ->
                event.matches("FailedDaemonPod: Found failed daemon pod default/agent-\\w{5} on node n4, will try to kill it"));
        assertThat(counts()).startsWith("1 1 0 0 1 -");
    }

    @Test
    void a_pod_that_ends_well_is_made_again_too() {
        daemons("nodeSelector: {gpu: 'no'}", "");
        rig.pass(10);
        rig.image(SETS, "agent", "done");
        rig.pass(20);
        assertThat(rig.events("DaemonSet", "agent")).anyMatch(event -> event.matches(
                "SucceededDaemonPod: Found succeeded daemon pod default/agent-\\w{5} on node n4, will try to delete it"));
        assertThat(rig.pods()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void a_refused_pod_is_told_and_tried_again() {
        rig.admission = request -> {
            if (request.resource().equals(Pods.PODS)) {
                throw AdmissionRefusal.forbidden("pods \"agent-\" is forbidden: violates PodSecurity");
            }
        };
        everywhereWithCards("");
        rig.pass(5);
        assertThat(rig.events("DaemonSet", "agent")).allMatch(event -> event.equals(
                "FailedCreate: Error creating: pods \"agent-\" is forbidden: violates PodSecurity"));
        assertThat(counts()).isEqualTo("3 0 0 0 - - 3");
        rig.admission = request -> { };
        rig.pass(60);
        assertThat(counts()).isEqualTo("3 3 0 3 3 3 -");
    }

    @Test
    void orphans_that_match_are_adopted_and_of_two_on_one_node_the_younger_goes() {
        rig.hand.create(WorkloadRig.key(Pods.PODS, "stray"), WorkloadRig.yaml("metadata: {labels: {app: agent}}\n"
                + "spec: {nodeName: n1, containers: [{name: main, image: one}]}\nstatus: {phase: Pending}"));
        rig.pass(10);
        everywhereWithCards("updateStrategy: {type: OnDelete}");
        rig.pass(10);
        Optional<PodFacts> stray = rig.pods().stream().filter(pod -> pod.key().name().equals("stray")).findFirst();
        assertThat(stray.orElseThrow().ownerKind()).isEqualTo("DaemonSet");
        assertThat(nodes()).containsExactly("n1", "n2", "n3");
        rig.hand.create(WorkloadRig.key(Pods.PODS, "second"), WorkloadRig.yaml("metadata: {labels: {app: agent}}\n"
                + "spec: {nodeName: n1, containers: [{name: main, image: one}]}\nstatus: {phase: Pending}"));
        rig.pass(10);
        assertThat(rig.pods()).extracting(pod -> pod.key().name()).contains("stray").doesNotContain("second");
    }

    @Test
    void what_is_quiet_is_not_written_again() {
        everywhereWithCards("");
        rig.pass(10);
        long revision = rig.store.get(WorkloadRig.key(SETS, "agent")).revision();
        rig.pass(3600);
        assertThat(rig.store.get(WorkloadRig.key(SETS, "agent")).revision()).isEqualTo(revision);
    }

    @Test
    void a_daemon_set_for_no_node_is_there_and_counts_nothing() {
        daemons("nodeSelector: {gpu: 'many'}", "");
        rig.pass(10);
        assertThat(rig.pods()).isEmpty();
        assertThat(counts()).isEqualTo("0 0 0 0 - - -");
        assertThat(status().path("observedGeneration").asInt()).isEqualTo(1);
    }
}
