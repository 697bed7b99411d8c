package dev.pitwall.lab.kube.control.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.ServedKinds;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.upkeep.GarbageCollector;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatefulSetsTest {
    private final WorkloadLab lab = new WorkloadLab(plane -> List.of(new StatefulSets(plane),
            new GarbageCollector(plane, new ServedKinds(ResourceCatalog.load()))));

    @AfterEach
    void close() {
        lab.close();
    }

    private StoredObject set(String more) {
        return lab.create(Resource.STATEFUL_SETS, "web", "spec: {serviceName: www, selector: {matchLabels: {app: web}},"
                + " template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: 'i:1'}]}}"
                + (more.isEmpty() ? "" : ", " + more) + "}");
    }

    private JsonNode set() {
        return lab.get(Resource.STATEFUL_SETS, "web");
    }

    private JsonNode status() {
        return set().path("status");
    }

    private void spec(Consumer<ObjectNode> change) {
        lab.change(Resource.STATEFUL_SETS, "web", set -> change.accept(set.withObjectProperty("spec")));
    }

    private void image(String image) {
        spec(spec -> ((ObjectNode) spec.at("/template/spec/containers/0")).put("image", image));
    }

    private List<String> names() {
        return lab.names(Resource.PODS);
    }

    private String image(int ordinal) {
        return lab.get(Resource.PODS, "web-" + ordinal).at("/spec/containers/0/image").asText();
    }

    @Test
    void podsComeOneAfterTheOther() {
        StoredObject set = set("replicas: 3");
        lab.pass(1);
        assertThat(names()).containsExactly("web-0", "web-1");
        lab.pass(5);

        assertThat(names()).containsExactly("web-0", "web-1", "web-2");
        List<Instant> made = lab.podsOf(set).stream().map(PodFacts::created).toList();
        assertThat(made).doesNotHaveDuplicates();
        assertThat(lab.messages(set)).containsExactly("create Pod web-0 in StatefulSet web successful",
                "create Pod web-1 in StatefulSet web successful", "create Pod web-2 in StatefulSet web successful");
        assertThat(status().path("replicas").asInt()).isEqualTo(3);
        assertThat(status().path("readyReplicas").asInt()).isEqualTo(3);
        assertThat(status().path("availableReplicas").asInt()).isEqualTo(3);
        assertThat(status().path("currentReplicas").asInt()).isEqualTo(3);
        assertThat(status().path("updatedReplicas").asInt()).isEqualTo(3);
        assertThat(status().path("observedGeneration").asInt()).isEqualTo(1);
    }

    @Test
    void aPodKnowsWhoItIs() {
        set("replicas: 1");
        lab.pass(3);
        JsonNode pod = lab.get(Resource.PODS, "web-0");

        assertThat(pod.at("/spec/hostname").asText()).isEqualTo("web-0");
        assertThat(pod.at("/spec/subdomain").asText()).isEqualTo("www");
        JsonNode labels = pod.at("/metadata/labels");
        assertThat(labels.path("apps.kubernetes.io/pod-index").asText()).isEqualTo("0");
        assertThat(labels.path("statefulset.kubernetes.io/pod-name").asText()).isEqualTo("web-0");
        String revision = labels.path("controller-revision-hash").asText();
        assertThat(revision).startsWith("web-");
        assertThat(lab.names(Resource.REVISIONS)).containsExactly(revision);
        assertThat(status().path("currentRevision").asText()).isEqualTo(revision);
        assertThat(status().path("updateRevision").asText()).isEqualTo(revision);
    }

    @Test
    void inParallelAllComeAtOnce() {
        StoredObject set = set("replicas: 3, podManagementPolicy: Parallel");
        lab.runner.hold(pod -> true);
        lab.pass(1);

        assertThat(lab.podsOf(set)).hasSize(3);
        lab.runner.hold(pod -> false);
        spec(spec -> spec.put("replicas", 0));
        lab.pass(5);
        assertThat(names()).isEmpty();
    }

    @Test
    void ordinalsBeginWhereTheSetSays() {
        set("replicas: 2, ordinals: {start: 5}");
        lab.pass(5);

        assertThat(names()).containsExactly("web-5", "web-6");
    }

    @Test
    void aSmallerSetGivesUpItsLastPodsFirst() {
        StoredObject set = set("replicas: 3");
        lab.pass(6);
        spec(spec -> spec.put("replicas", 1));
        lab.pass(1);
        assertThat(names()).containsExactly("web-0", "web-1", "web-2");
        lab.pass(10);

        assertThat(names()).containsExactly("web-0");
        assertThat(lab.messages(set)).endsWith("delete Pod web-2 in StatefulSet web successful",
                "delete Pod web-1 in StatefulSet web successful");
    }

    @Test
    void anUpdateGoesFromTheLastPodToTheFirst() {
        set("replicas: 3");
        lab.pass(6);
        String old = status().path("currentRevision").asText();
        image("i:2");
        lab.pass(3);
        assertThat(status().path("updateRevision").asText()).isNotEqualTo(old);
        assertThat(status().path("currentRevision").asText()).isEqualTo(old);
        assertThat(image(0)).isEqualTo("i:1");
        lab.pass(30);

        assertThat(List.of(image(0), image(1), image(2))).containsOnly("i:2");
        assertThat(status().path("currentRevision").asText()).isEqualTo(status().path("updateRevision").asText());
        assertThat(status().path("currentReplicas").asInt()).isEqualTo(3);
        assertThat(lab.names(Resource.REVISIONS)).hasSize(2);
    }

    @Test
    void podsBeforeThePartitionKeepTheirRevision() {
        set("replicas: 3, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}");
        lab.pass(6);
        image("i:2");
        lab.pass(20);
        assertThat(List.of(image(0), image(1), image(2))).containsExactly("i:1", "i:1", "i:2");
        assertThat(status().path("updatedReplicas").asInt()).isEqualTo(1);
        assertThat(status().path("currentReplicas").asInt()).isEqualTo(2);

        // One that goes comes back as it was.
        lab.hand.delete(WorkloadLab.key(Resource.PODS, "web-0"));
        lab.pass(10);
        assertThat(image(0)).isEqualTo("i:1");
    }

    @Test
    void onDeleteWaitsForSomebodyToDeleteThePods() {
        set("replicas: 2, updateStrategy: {type: OnDelete}");
        lab.pass(6);
        image("i:2");
        lab.pass(20);
        assertThat(List.of(image(0), image(1))).containsOnly("i:1");

        lab.hand.delete(WorkloadLab.key(Resource.PODS, "web-0"));
        lab.pass(10);
        assertThat(List.of(image(0), image(1))).containsExactly("i:2", "i:1");
        assertThat(status().path("updatedReplicas").asInt()).isEqualTo(1);
    }

    @Test
    void aPodIsAvailableOnlyWhenItHasBeenReadyForLongEnough() {
        set("replicas: 2, minReadySeconds: 20");
        lab.pass(15);
        assertThat(names()).containsExactly("web-0");
        assertThat(status().path("readyReplicas").asInt()).isEqualTo(1);
        assertThat(status().path("availableReplicas").asInt()).isZero();
        lab.pass(40);

        assertThat(names()).containsExactly("web-0", "web-1");
        assertThat(status().path("availableReplicas").asInt()).isEqualTo(2);
    }

    @Test
    void aPodThatHasEndedIsMadeAnew() {
        StoredObject set = set("replicas: 1");
        lab.pass(3);
        PodFacts first = lab.podsOf(set).getFirst();
        lab.hand.status(first.key(), pod -> pod.withObjectProperty("status").put("phase", "Failed"));
        lab.pass(10);

        assertThat(lab.podsOf(set).getFirst().uid()).isNotEqualTo(first.uid());
        assertThat(lab.podsOf(set).getFirst().phase()).isEqualTo("Running");
    }

    @Test
    void revisionsAboveTheLimitAreForgotten() {
        set("replicas: 1, revisionHistoryLimit: 1");
        for (int version = 2; version < 6; version++) {
            lab.pass(15);
            image("i:" + version);
        }
        lab.pass(20);

        assertThat(lab.names(Resource.REVISIONS)).hasSize(2);
    }

    private StoredObject withClaims(String policy) {
        return set("replicas: 2, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce],"
                + " resources: {requests: {storage: 1Gi}}}}]" + policy);
    }

    @Test
    void claimsComeBeforeThePodsAndStayWhenTheyGo() {
        StoredObject set = withClaims("");
        lab.pass(6);
        assertThat(lab.names(Resource.VOLUME_CLAIMS)).containsExactly("data-web-0", "data-web-1");
        JsonNode claim = lab.get(Resource.VOLUME_CLAIMS, "data-web-0");
        assertThat(claim.at("/metadata/labels/app").asText()).isEqualTo("web");
        assertThat(claim.at("/spec/resources/requests/storage").asText()).isEqualTo("1Gi");
        assertThat(lab.get(Resource.PODS, "web-0").at("/spec/volumes/0/persistentVolumeClaim/claimName").asText())
                .isEqualTo("data-web-0");
        assertThat(lab.messages(set)).startsWith("create Claim data-web-0 Pod web-0 in StatefulSet web success",
                "create Pod web-0 in StatefulSet web successful");

        spec(spec -> spec.put("replicas", 1));
        lab.pass(10);
        lab.hand.delete(set.key());
        lab.pass(10);
        assertThat(names()).isEmpty();
        assertThat(lab.names(Resource.VOLUME_CLAIMS)).containsExactly("data-web-0", "data-web-1");
    }

    @Test
    void claimsGoWithTheirPodsWhenTheSetIsMadeSmaller() {
        withClaims(", persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Retain}");
        lab.pass(6);
        assertThat(lab.get(Resource.VOLUME_CLAIMS, "data-web-1").path("metadata").has("ownerReferences")).isFalse();
        spec(spec -> spec.put("replicas", 1));
        lab.pass(10);
        assertThat(lab.names(Resource.VOLUME_CLAIMS)).containsExactly("data-web-0");

        spec(spec -> spec.put("replicas", 2));
        lab.pass(10);
        assertThat(lab.names(Resource.VOLUME_CLAIMS)).containsExactly("data-web-0", "data-web-1");
        assertThat(names()).containsExactly("web-0", "web-1");
    }

    @Test
    void claimsGoWithTheSet() {
        StoredObject set = withClaims(", persistentVolumeClaimRetentionPolicy: {whenScaled: Retain, whenDeleted: Delete}");
        lab.pass(6);
        assertThat(lab.get(Resource.VOLUME_CLAIMS, "data-web-0").at("/metadata/ownerReferences/0/uid").asText())
                .isEqualTo(set.uid());
        lab.hand.delete(set.key());
        lab.pass(10);

        assertThat(lab.names(Resource.VOLUME_CLAIMS)).isEmpty();
    }

    @Test
    void aPodOfAnotherNameIsNotAdopted() {
        lab.create(Resource.PODS, "stranger", "{metadata: {labels: {app: web}}, spec: {containers: [{name: main}]}}");
        StoredObject set = set("replicas: 1");
        lab.pass(5);

        assertThat(lab.podsOf(set)).extracting(pod -> pod.key().name()).containsExactly("web-0");
    }
}
