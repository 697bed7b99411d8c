package dev.pitwall.lab.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeBindingTest {
    private static final String USES = "spec: {volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}";
    private static final String NO_HELP = " preemption: 0/2 nodes are available: 2 Preemption is not helpful for"
            + " scheduling.";
    private static final String CLAIM = "spec: {storageClassName: %s, accessModes: [ReadWriteOnce], resources: {requests:"
            + " {storage: 10Gi}}}\nstatus: {phase: Pending}";
    private static final String BOUND = "spec: {volumeName: %s}\nstatus: {phase: Bound}";
    private static final String LOCAL = "spec: {storageClassName: local, accessModes: [ReadWriteOnce], capacity:"
            + " {storage: %s}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key:"
            + " kubernetes.io/hostname, operator: In, values: [%s]}]}]}}}\nstatus: {phase: Available}";

    private final SchedulerRig rig = new SchedulerRig();

    @BeforeEach
    void twoNodes() {
        rig.node("node-a");
        rig.node("node-b");
        rig.object(Resource.STORAGE_CLASSES, "", "ceph", "provisioner: rbd\nvolumeBindingMode: Immediate");
        rig.object(Resource.STORAGE_CLASSES, "", "path",
                "provisioner: local-path\nvolumeBindingMode: WaitForFirstConsumer");
        rig.object(Resource.STORAGE_CLASSES, "", "local",
                "provisioner: kubernetes.io/no-provisioner\nvolumeBindingMode: WaitForFirstConsumer");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static ObjectKey claim(String name) {
        return new ObjectKey(Resource.VOLUME_CLAIMS, "default", name);
    }

    private void claim(String name, String storageClass) {
        rig.object(Resource.VOLUME_CLAIMS, "default", name, CLAIM.formatted(storageClass));
    }

    private String selected(String claim) {
        return rig.store.get(claim(claim)).tree().path("metadata").path("annotations")
                .path("volume.kubernetes.io/selected-node").asText("");
    }

    @Test
    void a_claim_that_is_not_there_keeps_the_pod_from_every_node_until_it_comes() {
        rig.pod("db", USES);
        rig.pass(1);
        assertThat(rig.why("db")).isEqualTo("0/2 nodes are available: persistentvolumeclaim \"data\" not found." + NO_HELP);
        claim("data", "ceph");
        rig.pass(5);
        assertThat(rig.why("db")).isEqualTo("0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims."
                + NO_HELP);
        rig.object(Resource.VOLUMES, "", "pv-1", "spec: {}\nstatus: {phase: Bound}");
        rig.lay(claim("data"), BOUND.formatted("pv-1"));
        rig.pass(5);
        assertThat(rig.nodeOf("db")).isNotEmpty();
    }

    @Test
    void a_claim_that_is_leaving_or_has_lost_its_volume_is_named() {
        claim("data", "ceph");
        rig.lay(claim("data"), "spec: {volumeName: pv-1}\nstatus: {phase: Lost}");
        rig.pod("db", USES);
        rig.pass(1);
        assertThat(rig.why("db")).startsWith("0/2 nodes are available: persistentvolumeclaim \"data\" bound to"
                + " non-existent persistentvolume \"pv-1\".");
        rig.lay(claim("data"), "metadata: {finalizers: [kubernetes.io/pvc-protection]}\nstatus: {phase: Bound}");
        rig.store.delete(claim("data"), 0, Preconditions.NONE);
        rig.pass(5);
        assertThat(rig.why("db")).startsWith("0/2 nodes are available: persistentvolumeclaim \"data\" is being deleted.");
    }

    @Test
    void an_ephemeral_volumes_claim_is_waited_for_under_its_own_name() {
        rig.pod("db", "spec: {volumes: [{name: scratch, ephemeral: {volumeClaimTemplate: {}}}]}");
        rig.pass(1);
        assertThat(rig.why("db")).startsWith("0/2 nodes are available: waiting for ephemeral volume controller to create"
                + " the persistentvolumeclaim \"db-scratch\".");
    }

    @Test
    void a_bound_volume_draws_the_pod_to_the_node_that_can_use_it() {
        claim("data", "local");
        rig.object(Resource.VOLUMES, "", "pv-b", LOCAL.formatted("20Gi", "node-b"));
        rig.lay(claim("data"), BOUND.formatted("pv-b"));
        rig.pod("db", USES);
        rig.pass(1);
        assertThat(rig.nodeOf("db")).isEqualTo("node-b");
        rig.pod("elsewhere", USES);
        rig.lay(SchedulerRig.pod("elsewhere"), "spec: {nodeSelector: {kubernetes.io/hostname: node-a}}");
        rig.pass(1);
        assertThat(rig.why("elsewhere")).isEqualTo("0/2 nodes are available: 1 node(s) didn't match Pod's node"
                + " affinity/selector, 1 node(s) had volume node affinity conflict." + NO_HELP);
    }

    @Test
    void a_claim_that_waits_for_a_consumer_is_told_the_node_and_the_pod_is_bound_after_it() {
        claim("data", "path");
        rig.asking("db", "cpu: 3", USES);
        rig.pass(5);
        String node = selected("data");
        assertThat(node).isNotEmpty();
        assertThat(rig.nodeOf("db")).isEmpty();
        assertThat(rig.events("db")).isEmpty();

        rig.asking("other", "cpu: 3");
        rig.pass(1);
        assertThat(rig.nodeOf("other")).as("the room is taken already").isNotEmpty().isNotEqualTo(node);

        rig.object(Resource.VOLUMES, "", "pvc-1", LOCAL.formatted("10Gi", node));
        rig.lay(claim("data"), BOUND.formatted("pvc-1"));
        rig.pass(1);
        assertThat(rig.nodeOf("db")).isEqualTo(node);
        assertThat(rig.events("db")).containsExactly("Scheduled x1: Successfully assigned default/db to " + node);
    }

    @Test
    void a_volume_that_is_not_made_within_ten_minutes_is_given_up() {
        claim("data", "path");
        rig.pod("db", USES);
        rig.pass(590);
        assertThat(rig.events("db")).isEmpty();
        rig.pass(20);
        assertThat(rig.events("db")).singleElement().asString().startsWith("FailedScheduling x1: running PreBind plugin"
                + " \"VolumeBinding\": binding volumes: context deadline exceeded");
        assertThat(rig.scheduled("db").path("reason").asText()).isEqualTo("SchedulerError");
    }

    @Test
    void a_provisioner_that_takes_the_node_back_sends_the_pod_on() {
        claim("data", "path");
        rig.pod("db", USES);
        rig.pass(2);
        rig.change(claim("data"), claim -> claim.withObjectProperty("metadata").withObjectProperty("annotations")
                .remove("volume.kubernetes.io/selected-node"));
        rig.pass(1);
        assertThat(rig.events("db")).singleElement().asString().endsWith("binding volumes: selectedNode annotation reset"
                + " for PVC \"data\"");
        rig.pass(5);
        assertThat(selected("data")).isNotEmpty();
    }

    @Test
    void a_local_volume_is_claimed_for_the_first_pod_and_the_smallest_that_will_do_is_taken() {
        rig.object(Resource.VOLUMES, "", "small", LOCAL.formatted("5Gi", "node-a"));
        rig.object(Resource.VOLUMES, "", "large", LOCAL.formatted("100Gi", "node-b"));
        rig.object(Resource.VOLUMES, "", "right", LOCAL.formatted("20Gi", "node-b"));
        claim("data", "local");
        rig.pod("db", USES);
        rig.pass(1);
        var reference = rig.store.get(new ObjectKey(Resource.VOLUMES, "", "right")).tree().at("/spec/claimRef");
        assertThat(reference.path("name").asText()).isEqualTo("data");
        assertThat(rig.nodeOf("db")).isEmpty();
        rig.lay(claim("data"), BOUND.formatted("right"));
        rig.pass(1);
        assertThat(rig.nodeOf("db")).isEqualTo("node-b");
    }

    @Test
    void without_a_volume_to_have_or_to_make_there_is_no_node() {
        rig.object(Resource.VOLUMES, "", "small", LOCAL.formatted("5Gi", "node-a"));
        claim("data", "local");
        rig.pod("db", USES);
        rig.pass(1);
        assertThat(rig.why("db")).isEqualTo("0/2 nodes are available: 2 node(s) didn't find available persistent volumes"
                + " to bind." + NO_HELP);
    }

    @Test
    void two_pods_of_one_moment_do_not_get_the_same_volume() {
        rig.object(Resource.VOLUMES, "", "one", LOCAL.formatted("20Gi", "node-a"));
        rig.object(Resource.VOLUMES, "", "two", LOCAL.formatted("20Gi", "node-b"));
        claim("data", "local");
        claim("more", "local");
        rig.pod("db", USES);
        rig.pod("cache", "spec: {volumes: [{name: data, persistentVolumeClaim: {claimName: more}}]}");
        rig.pass(1);
        assertThat(rig.store.list(Resource.VOLUMES, "").objects())
                .extracting(volume -> volume.tree().at("/spec/claimRef/name").asText())
                .containsExactlyInAnyOrder("data", "more");
    }

    @Test
    void a_pod_that_goes_while_its_volume_is_made_gives_its_room_back() {
        rig.node("node-c", "metadata: {labels: {only: here}}");
        claim("data", "path");
        rig.asking("db", "cpu: 3", USES);
        rig.lay(SchedulerRig.pod("db"), "spec: {nodeSelector: {only: here}}");
        rig.asking("next", "cpu: 3", "spec: {nodeSelector: {only: here}}");
        rig.pass(2);
        assertThat(rig.nodeOf("next")).isEmpty();
        rig.gone("db");
        rig.pass(12);
        assertThat(rig.nodeOf("next")).isEqualTo("node-c");
    }
}
