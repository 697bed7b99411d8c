package dev.pitwall.lab.kube.control.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicaSetsTest {
    private static final Resource SETS = Resource.REPLICA_SETS;
    private WorkloadRig rig;

    @BeforeEach
    void start() {
        rig = WorkloadRig.plain();
        rig.node("n1", "");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void replicas(int count) {
        rig.create(SETS, """
                metadata: {name: web}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}, annotations: {a: b}, finalizers: [x/y]}
                    spec: {containers: [{name: main, image: one}]}
                """.formatted(count));
    }

    private void scale(int count) {
        rig.spec(SETS, "web", spec -> spec.put("replicas", count));
    }

    private void label(String pod, String value) {
        rig.change(Resource.PODS, pod, tree -> ((ObjectNode) tree.at("/metadata/labels")).put("app", value));
    }

    @Test
    void it_makes_pods_from_its_template_and_tells_of_each() {
        replicas(2);
        rig.pass(10);
        assertThat(rig.pods()).hasSize(2).allSatisfy(pod -> {
            ObjectNode tree = pod.object().copy();
            assertThat(pod.key().name()).matches("web-[bcdfghjklmnpqrstvwxz2456789]{5}");
            assertThat(tree.at("/metadata/generateName").asText()).isEqualTo("web-");
            assertThat(tree.at("/metadata/annotations/a").asText()).isEqualTo("b");
            assertThat(tree.at("/metadata/finalizers/0").asText()).isEqualTo("x/y");
            assertThat(tree.at("/metadata/ownerReferences/0/blockOwnerDeletion").asBoolean()).isTrue();
            assertThat(rig.events("ReplicaSet", "web")).contains("SuccessfulCreate: Created pod: " + pod.key().name());
        });
        assertThat(rig.status(SETS, "web")).isEqualTo(WorkloadRig.yaml("{replicas: 2, fullyLabeledReplicas: 2, "
                + "observedGeneration: 1, readyReplicas: 2, availableReplicas: 2}"));
    }

    @Test
    void a_pod_that_is_deleted_or_fails_is_replaced() {
        replicas(2);
        rig.pass(10);
        rig.hand.status(rig.pods().getFirst().key(), tree -> tree.withObjectProperty("status").put("phase", "Failed"));
        rig.hand.delete(rig.pods().getLast().key());
        rig.pass(10);
        assertThat(rig.active()).hasSize(2).allMatch(PodFacts::ready);
    }

    @Test
    void a_pod_whose_label_changes_is_let_go_and_taken_in_again() {
        replicas(1);
        rig.pass(10);
        String first = rig.pods().getFirst().key().name();
        label(first, "debug");
        rig.pass(10);
        assertThat(rig.pods()).hasSize(2);
        assertThat(rig.get(Resource.PODS, first).at("/metadata").has("ownerReferences")).isFalse();
        label(first, "web");
        rig.pass(10);
        assertThat(rig.active()).hasSize(1);
    }

    @Test
    void the_cheapest_pod_goes_first() {
        replicas(3);
        rig.pass(10);
        String cheap = rig.pods().get(1).key().name();
        rig.change(Resource.PODS, cheap, tree -> ((ObjectNode) tree.at("/metadata/annotations"))
                .put("controller.kubernetes.io/pod-deletion-cost", "-5"));
        scale(2);
        rig.pass(0);
        assertThat(rig.active()).extracting(pod -> pod.key().name()).hasSize(2).doesNotContain(cheap);
        assertThat(rig.events("ReplicaSet", "web")).contains("SuccessfulDelete: Deleted pod: " + cheap);
    }

    @Test
    void what_is_not_ready_goes_before_what_is() {
        replicas(2);
        rig.pass(10);
        List<String> ready = rig.pods().stream().map(pod -> pod.key().name()).toList();
        scale(4);
        rig.pass(1);
        scale(2);
        rig.pass(0);
        assertThat(rig.active()).extracting(pod -> pod.key().name()).containsExactlyElementsOf(ready);
    }

    @Test
    void a_refusal_is_a_condition_until_pods_can_be_made() {
        rig.admission = request -> {
            if (request.resource().equals(Resource.PODS)) {
                throw AdmissionRefusal.forbidden("pods \"web-\" is forbidden: exceeded quota");
            }
        };
        replicas(1);
        rig.pass(5);
        assertThat(rig.condition(SETS, "web", "ReplicaFailure"))
                .isEqualTo("True FailedCreate pods \"web-\" is forbidden: exceeded quota");
        assertThat(rig.events("ReplicaSet", "web"))
                .containsExactly("FailedCreate: Error creating: pods \"web-\" is forbidden: exceeded quota");
        rig.admission = request -> { };
        rig.pass(30);
        assertThat(rig.status(SETS, "web").has("conditions")).isFalse();
        assertThat(rig.active()).hasSize(1);
    }

    @Test
    void in_a_namespace_that_is_being_deleted_it_makes_nothing_and_says_nothing() {
        rig.hand.create(new ObjectKey(Resource.NAMESPACES, "", WorkloadRig.NAMESPACE),
                WorkloadRig.yaml("metadata: {deletionTimestamp: '2026-09-01T08:00:00Z'}"));
        replicas(2);
        rig.pass(10);
        assertThat(rig.pods()).isEmpty();
        assertThat(rig.events("ReplicaSet", "web")).isEmpty();
        assertThat(rig.status(SETS, "web").has("conditions")).isFalse();
    }

    @Test
    void more_pods_than_one_turn_makes_are_made_in_several() {
        replicas(1200);
        rig.pass(10);
        assertThat(rig.status(SETS, "web").path("readyReplicas").asInt()).isEqualTo(1200);
    }
}
