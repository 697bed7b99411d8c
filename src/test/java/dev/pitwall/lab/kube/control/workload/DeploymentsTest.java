package dev.pitwall.lab.kube.control.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.NameSuffix;
import dev.pitwall.lab.kube.store.Resource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeploymentsTest {
    private static final Resource DEPLOYMENTS = Resource.DEPLOYMENTS;
    private final List<Integer> totals = new ArrayList<>();
    private final List<Integer> available = new ArrayList<>();
    private WorkloadRig rig;

    @BeforeEach
    void start() {
        rig = new WorkloadRig(r -> {
            totals.add(r.active().size());
            available.add((int) r.active().stream().filter(PodFacts::ready).count());
        });
        rig.node("n1", "");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void deploy(int replicas, String more) {
        rig.create(DEPLOYMENTS, """
                metadata: {name: web, labels: {app: web}, annotations: {team: red,
                  kubectl.kubernetes.io/last-applied-configuration: '{}'}}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: one}]}}
                %s
                """.formatted(replicas, more.indent(2)));
    }

    private void roll(String image) {
        rig.image(DEPLOYMENTS, "web", image);
    }

    private JsonNode status() {
        return rig.status(DEPLOYMENTS, "web");
    }

    private String progressing() {
        return rig.condition(DEPLOYMENTS, "web", "Progressing");
    }

    private List<Integer> sizes() {
        return rig.sets().stream().map(set -> set.at("/spec/replicas").asInt()).toList();
    }

    private void forgetWhatWasSeen() {
        totals.clear();
        available.clear();
    }

    @Test
    void a_new_deployment_gets_a_replica_set_named_after_its_template() {
        deploy(3, "");
        rig.pass(0);
        JsonNode set = rig.sets().getFirst();
        String hash = set.at("/metadata/labels/pod-template-hash").asText();
        assertThat(hash).matches("[" + NameSuffix.LETTERS + "]{8,10}");
        assertThat(WorkloadRig.name(set)).isEqualTo("web-" + hash);
        assertThat(set.at("/spec/selector/matchLabels/pod-template-hash").asText()).isEqualTo(hash);
        assertThat(set.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("Deployment");
        assertThat(set.at("/metadata/annotations").toString()).isEqualTo("{\"team\":\"red\","
                + "\"deployment.kubernetes.io/revision\":\"1\",\"deployment.kubernetes.io/desired-replicas\":\"3\","
                + "\"deployment.kubernetes.io/max-replicas\":\"4\"}");
        assertThat(rig.active()).hasSize(3).allSatisfy(pod ->
                assertThat(pod.labels()).containsEntry("pod-template-hash", hash));
        assertThat(rig.events("Deployment", "web"))
                .containsExactly("ScalingReplicaSet: Scaled up replica set web-" + hash + " from 0 to 3");
        assertThat(progressing())
                .isEqualTo("True ReplicaSetUpdated ReplicaSet \"web-" + hash + "\" is progressing.");
        assertThat(rig.condition(DEPLOYMENTS, "web", "Available")).isEqualTo("False MinimumReplicasUnavailable "
                + "Deployment does not have minimum availability.");
    }

    @Test
    void a_rollout_that_is_through_says_so_where_kubectl_and_helm_look() {
        deploy(3, "");
        rig.pass(10);
        JsonNode deployment = rig.get(DEPLOYMENTS, "web");
        assertThat(WorkloadRig.note(deployment, RevisionNotes.REVISION)).isEqualTo("1");
        JsonNode status = deployment.path("status");
        assertThat(status.path("observedGeneration").asInt()).isEqualTo(1);
        for (String count : List.of("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")) {
            assertThat(status.path(count).asInt()).as(count).isEqualTo(3);
        }
        assertThat(status.has("unavailableReplicas")).isFalse();
        assertThat(rig.condition(DEPLOYMENTS, "web", "Available"))
                .isEqualTo("True MinimumReplicasAvailable Deployment has minimum availability.");
        assertThat(progressing()).isEqualTo("True NewReplicaSetAvailable ReplicaSet \""
                + WorkloadRig.name(rig.sets().getFirst()) + "\" has successfully progressed.");
        assertThat(status.at("/conditions/1/lastUpdateTime").asText()).isNotEmpty();
    }

    @Test
    void a_rolling_update_keeps_within_surge_and_availability() {
        deploy(4, "strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}");
        rig.pass(10);
        forgetWhatWasSeen();
        roll("two");
        rig.pass(60);
        assertThat(totals).allMatch(total -> total <= 5);
        assertThat(available).allMatch(count -> count >= 3);
        assertThat(sizes()).containsExactly(0, 4);
        assertThat(rig.active()).allMatch(pod -> WorkloadRig.image(pod).equals("two"));
        assertThat(WorkloadRig.note(rig.get(DEPLOYMENTS, "web"), RevisionNotes.REVISION)).isEqualTo("2");
        assertThat(progressing()).contains("NewReplicaSetAvailable", WorkloadRig.name(rig.sets().getLast()));
        assertThat(status().path("observedGeneration").asInt()).isEqualTo(2);
    }

    @Test
    void what_undo_brings_back_has_its_replica_set_again_under_a_new_number() {
        deploy(2, "");
        rig.pass(10);
        roll("two");
        rig.pass(30);
        String first = WorkloadRig.name(rig.sets().getFirst());
        roll("one");
        rig.pass(30);
        assertThat(rig.sets()).hasSize(2);
        JsonNode back = rig.sets().getLast();
        assertThat(WorkloadRig.name(back)).isEqualTo(first);
        assertThat(WorkloadRig.note(back, RevisionNotes.REVISION)).isEqualTo("3");
        assertThat(WorkloadRig.note(back, RevisionNotes.HISTORY)).isEqualTo("1");
        assertThat(back.at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(WorkloadRig.note(rig.get(DEPLOYMENTS, "web"), RevisionNotes.REVISION)).isEqualTo("3");
    }

    @Test
    void recreate_waits_until_the_last_old_pod_is_gone() {
        deploy(2, "strategy: {type: Recreate}");
        rig.pass(10);
        rig.kubelets.hanging.add("n1");
        roll("two");
        rig.pass(30);
        assertThat(rig.pods()).hasSize(2).allMatch(pod -> WorkloadRig.image(pod).equals("one"));
        assertThat(rig.sets()).hasSize(1);
        assertThat(status().path("updatedReplicas").asInt()).isZero();
        rig.kubelets.hanging.clear();
        rig.hand.purge(rig.pods().getFirst().key());
        rig.pass(30);
        assertThat(rig.pods()).hasSize(2).allMatch(pod -> WorkloadRig.image(pod).equals("two"));
        assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
    }

    @Test
    void a_paused_deployment_is_scaled_but_not_rolled() {
        deploy(2, "");
        rig.pass(10);
        rig.spec(DEPLOYMENTS, "web", spec -> spec.put("paused", true).put("replicas", 3));
        roll("two");
        rig.pass(10);
        assertThat(progressing()).isEqualTo("Unknown DeploymentPaused Deployment is paused");
        assertThat(rig.active()).hasSize(3).allMatch(pod -> WorkloadRig.image(pod).equals("one"));
        rig.spec(DEPLOYMENTS, "web", spec -> spec.remove("paused"));
        rig.pass(30);
        assertThat(rig.active()).hasSize(3).allMatch(pod -> WorkloadRig.image(pod).equals("two"));
        assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
    }

    @Test
    void a_rollout_without_progress_times_out_and_goes_on_when_it_is_mended() {
        deploy(2, "progressDeadlineSeconds: 60");
        rig.pass(10);
        roll("bad");
        rig.pass(50);
        assertThat(progressing()).startsWith("True ReplicaSetUpdated");
        rig.pass(30);
        String stuck = WorkloadRig.name(rig.sets().getLast());
        assertThat(progressing())
                .isEqualTo("False ProgressDeadlineExceeded ReplicaSet \"" + stuck + "\" has timed out progressing.");
        assertThat(status().path("unavailableReplicas").asInt()).isEqualTo(1);
        assertThat(status().path("availableReplicas").asInt()).isEqualTo(2);
        roll("three");
        rig.pass(30);
        assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
        assertThat(sizes()).containsExactly(0, 0, 2);
    }

    @Test
    void a_deployment_scaled_in_the_middle_of_a_rollout_shares_the_new_pods_out() {
        deploy(10, "strategy: {rollingUpdate: {maxSurge: 3, maxUnavailable: 2}}");
        rig.pass(10);
        roll("bad");
        rig.pass(10);
        assertThat(sizes()).containsExactly(8, 5);
        rig.spec(DEPLOYMENTS, "web", spec -> spec.put("replicas", 15));
        rig.pass(0);
        assertThat(sizes()).containsExactly(11, 7);
        assertThat(rig.events("Deployment", "web")).anyMatch(event -> event.endsWith("from 8 to 11"));
    }

    @Test
    void only_as_many_old_replica_sets_stay_as_the_history_may_have() {
        deploy(1, "revisionHistoryLimit: 1");
        for (String image : List.of("two", "three", "four")) {
            rig.pass(10);
            roll(image);
        }
        rig.pass(20);
        assertThat(rig.sets()).extracting(set -> WorkloadRig.note(set, RevisionNotes.REVISION))
                .containsExactly("3", "4");
    }

    @Test
    void an_orphan_of_the_same_template_is_adopted_and_found() {
        deploy(2, "");
        rig.pass(10);
        String set = WorkloadRig.name(rig.sets().getFirst());
        rig.hand.purge(WorkloadRig.key(DEPLOYMENTS, "web"));
        rig.change(Resource.REPLICA_SETS, set, tree -> ((ObjectNode) tree.path("metadata")).remove("ownerReferences"));
        rig.pass(5);
        List<String> before = rig.active().stream().map(PodFacts::uid).toList();
        deploy(2, "");
        rig.pass(10);
        assertThat(rig.sets()).hasSize(1);
        assertThat(rig.sets().getFirst().at("/metadata/ownerReferences/0/uid").asText())
                .isEqualTo(rig.get(DEPLOYMENTS, "web").at("/metadata/uid").asText());
        assertThat(rig.active()).extracting(PodFacts::uid).containsExactlyElementsOf(before);
        assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
    }

    @Test
    void a_replica_set_whose_labels_do_not_match_any_more_is_let_go() {
        deploy(1, "");
        rig.pass(10);
        String lost = WorkloadRig.name(rig.sets().getFirst());
        rig.change(Resource.REPLICA_SETS, lost, tree ->
                ((ObjectNode) tree.at("/metadata/labels")).put("app", "other"));
        rig.pass(10);
        assertThat(rig.get(Resource.REPLICA_SETS, lost).at("/metadata").has("ownerReferences")).isFalse();
        // Its name is still taken, so the new one has another.
        assertThat(rig.sets()).hasSize(2);
        assertThat(status().path("collisionCount").asInt()).isEqualTo(1);
        assertThat(rig.active()).hasSize(2);
    }

    @Test
    void refused_pods_are_the_deployments_failure_until_they_are_let_through() {
        rig.admission = refuse(Resource.PODS, "pods \"web-\" is forbidden: exceeded quota: few");
        deploy(2, "");
        rig.pass(5);
        assertThat(rig.condition(DEPLOYMENTS, "web", "ReplicaFailure"))
                .isEqualTo("True FailedCreate pods \"web-\" is forbidden: exceeded quota: few");
        assertThat(status().path("unavailableReplicas").asInt()).isEqualTo(2);
        rig.admission = request -> { };
        rig.pass(60);
        assertThat(rig.condition(DEPLOYMENTS, "web", "ReplicaFailure")).isEqualTo("none");
        assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
    }

    @Test
    void a_refused_replica_set_is_told_and_tried_again() {
        rig.admission = refuse(Resource.REPLICA_SETS, "no more sets");
        deploy(1, "");
        rig.pass(5);
        String told = "Failed to create new replica set \"web-";
        assertThat(progressing()).startsWith("False ReplicaSetCreateError " + told).endsWith("\": no more sets");
        assertThat(rig.events("Deployment", "web")).allMatch(event -> event.startsWith("ReplicaSetCreateError: " + told));
        rig.admission = request -> { };
        rig.pass(60);
        assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
    }

    private static Admission refuse(Resource resource, String message) {
        return request -> {
            if (request.resource().equals(resource) && request.operation() == Admission.Operation.CREATE) {
                throw AdmissionRefusal.forbidden(message);
            }
        };
    }

    @Test
    void a_deployment_for_everything_is_only_warned_of() {
        deploy(1, "");
        rig.spec(DEPLOYMENTS, "web", spec -> spec.putObject("selector"));
        rig.pass(5);
        assertThat(rig.sets()).isEmpty();
        assertThat(rig.events("Deployment", "web")).containsExactly("SelectingAll: This deployment is selecting all "
                + "pods. A non-empty selector is required.");
    }

    @Test
    void pods_count_as_available_only_after_their_time() {
        deploy(2, "minReadySeconds: 30");
        rig.pass(20);
        assertThat(status().path("readyReplicas").asInt()).isEqualTo(2);
        assertThat(status().path("unavailableReplicas").asInt()).isEqualTo(2);
        rig.pass(20);
        assertThat(status().path("availableReplicas").asInt()).isEqualTo(2);
        assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
    }

    @Test
    void scaled_to_nothing_it_is_available_and_has_no_counts() {
        deploy(2, "");
        rig.pass(10);
        rig.spec(DEPLOYMENTS, "web", spec -> spec.put("replicas", 0));
        rig.pass(10);
        assertThat(rig.pods()).isEmpty();
        assertThat(status().has("replicas")).isFalse();
        assertThat(rig.condition(DEPLOYMENTS, "web", "Available")).startsWith("True");
        assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
        assertThat(rig.events("Deployment", "web").getLast())
                .startsWith("ScalingReplicaSet: Scaled down").endsWith("from 2 to 0");
    }

    @Test
    void what_is_quiet_is_not_written_again() {
        deploy(2, "");
        rig.pass(10);
        long revision = rig.store.get(WorkloadRig.key(DEPLOYMENTS, "web")).revision();
        rig.pass(3600);
        assertThat(rig.store.get(WorkloadRig.key(DEPLOYMENTS, "web")).revision()).isEqualTo(revision);
    }
}
