package dev.pitwall.lab.kube.control.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.upkeep.UpkeepRig;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StorageTest {
    private final UpkeepRig rig = new UpkeepRig(parts -> List.of(new Storage(parts.plane())));

    @AfterEach
    void close() {
        rig.close();
    }

    private void localPath(String policy) {
        rig.put("storage.k8s.io/v1", "StorageClass", "", "local-path", "{provisioner: rancher.io/local-path,"
                + " reclaimPolicy: " + policy + ", volumeBindingMode: WaitForFirstConsumer}");
        rig.put("v1", "Node", "", "a", "{metadata: {labels: {kubernetes.io/hostname: a}}, spec: {}}");
    }

    private ObjectKey provisioner() {
        return rig.put("v1", "Pod", "kube-system", "local-path-provisioner-x", "{metadata: {labels: {app: local-path-provisioner}},"
                + " spec: {nodeName: a}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}").key();
    }

    private ObjectKey claim(String spec) {
        return rig.put("v1", "PersistentVolumeClaim", "default", "data", "{spec: {accessModes: [ReadWriteOnce], resources:"
                + " {requests: {storage: 10Gi}}, " + spec + "}}").key();
    }

    private ObjectKey pod(String node) {
        return rig.put("v1", "Pod", "default", "web", "{spec: {nodeName: '" + node + "', volumes: [{name: data,"
                + " persistentVolumeClaim: {claimName: data}}]}, status: {phase: Pending}}").key();
    }

    /** As the scheduler does when it has found a node for a pod, before it binds the pod. */
    private void select(ObjectKey claim) {
        rig.change(claim, object -> object.withObjectProperty("metadata").withObjectProperty("annotations")
                .put("volume.kubernetes.io/selected-node", "a"));
        rig.pass(0);
    }

    private ObjectKey volume(String name, String size, String more) {
        return rig.put("v1", "PersistentVolume", "", name, "{spec: {capacity: {storage: " + size + "}, accessModes: ["
                + "ReadWriteOnce], storageClassName: manual, hostPath: {path: /data}" + more + "}}").key();
    }

    private String phase(ObjectKey key) {
        return rig.get(key).at("/status/phase").asText();
    }

    private List<StoredObject> volumes() {
        return rig.all(Resource.VOLUMES, "");
    }

    @Test
    void aLateClaimWaitsForItsPodAndGetsAVolumeOnThePodsNode() {
        localPath("Delete");
        provisioner();
        ObjectKey claim = claim("storageClassName: local-path");
        rig.pass(1);
        assertThat(phase(claim)).isEqualTo("Pending");
        assertThat(rig.events("data"))
                .containsExactly("WaitForFirstConsumer: waiting for first consumer to be created before binding");
        pod("");
        select(claim);
        assertThat(phase(claim)).isEqualTo("Bound");
        assertThat(rig.get(claim).at("/status/capacity/storage").asText()).isEqualTo("10Gi");
        String name = "pvc-" + rig.get(claim).at("/metadata/uid").asText();
        JsonNode volume = rig.get(new ObjectKey(Resource.VOLUMES, "", name));
        assertThat(volume.at("/status/phase").asText()).isEqualTo("Bound");
        assertThat(volume.at("/spec/hostPath/path").asText())
                .isEqualTo("/var/lib/rancher/k3s/storage/" + name + "_default_data");
        assertThat(volume.at("/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0/values/0").asText())
                .isEqualTo("a");
        assertThat(volume.at("/spec/persistentVolumeReclaimPolicy").asText()).isEqualTo("Delete");
        assertThat(rig.events("data")).contains("Provisioning: External provisioner is provisioning volume for claim"
                + " \"default/data\"", "ProvisioningSucceeded: Successfully provisioned volume " + name);
    }

    @Test
    void withoutItsProvisionersPodAClaimWaits() {
        localPath("Delete");
        ObjectKey claim = claim("storageClassName: local-path");
        select(claim);
        assertThat(phase(claim)).isEqualTo("Pending");
        assertThat(rig.events("data")).anyMatch(event -> event.startsWith("ExternalProvisioning: Waiting for a volume to"
                + " be created either by the external provisioner 'rancher.io/local-path'"));
        provisioner();
        rig.pass(0);
        assertThat(phase(claim)).isEqualTo("Bound");
    }

    @Test
    void aPodThatIsNotPlacedYetIsNamed() {
        localPath("Delete");
        claim("storageClassName: local-path");
        pod("");
        rig.pass(0);
        assertThat(rig.events("data")).containsExactly("WaitForPodScheduled: waiting for pod web to be scheduled");
    }

    @Test
    void anAccessModeThatAProvisionerCannotIsRefusedInItsWords() {
        localPath("Delete");
        provisioner();
        ObjectKey claim = claim("storageClassName: local-path");
        rig.change(claim, object -> ((ObjectNode) object.path("spec")).putArray("accessModes").add("ReadWriteMany"));
        select(claim);
        assertThat(phase(claim)).isEqualTo("Pending");
        assertThat(rig.events("data")).contains("ProvisioningFailed: failed to provision volume with StorageClass"
                + " \"local-path\": NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes");
    }

    @Test
    void aClassThatIsNotThereIsNamed() {
        claim("storageClassName: fast");
        rig.pass(0);
        assertThat(rig.events("data"))
                .containsExactly("ProvisioningFailed: storageclass.storage.k8s.io \"fast\" not found");
    }

    @Test
    void theSmallestVolumeThatIsLargeEnoughIsTaken() {
        ObjectKey large = volume("large", "100Gi", "");
        ObjectKey fits = volume("fits", "20Gi", "");
        ObjectKey small = volume("small", "5Gi", "");
        rig.pass(0);
        assertThat(List.of(phase(large), phase(fits), phase(small))).containsOnly("Available");
        ObjectKey claim = claim("storageClassName: manual");
        rig.pass(0);
        assertThat(rig.get(claim).at("/spec/volumeName").asText()).isEqualTo("fits");
        assertThat(rig.get(claim).at("/status/capacity/storage").asText()).isEqualTo("20Gi");
        assertThat(List.of(phase(claim), phase(fits), phase(large))).containsExactly("Bound", "Bound", "Available");
        assertThat(rig.get(fits).at("/spec/claimRef/uid").asText()).isEqualTo(rig.store.get(claim).uid());
    }

    @Test
    void aVolumeKeptForAClaimGoesToThatOne() {
        volume("other", "10Gi", "");
        ObjectKey kept = volume("kept", "50Gi", ", claimRef: {namespace: default, name: data}");
        ObjectKey claim = claim("storageClassName: manual");
        rig.pass(0);
        assertThat(rig.get(claim).at("/spec/volumeName").asText()).isEqualTo("kept");
        assertThat(phase(kept)).isEqualTo("Bound");
    }

    @Test
    void aVolumeThatTheSchedulerHasChosenForALateClaimIsBound() {
        rig.put("storage.k8s.io/v1", "StorageClass", "", "manual",
                "{provisioner: kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer}");
        ObjectKey volume = volume("disk", "20Gi", "");
        ObjectKey claim = claim("storageClassName: manual");
        pod("");
        rig.pass(0);
        assertThat(phase(claim)).isEqualTo("Pending");
        rig.change(volume, object -> object.withObjectProperty("spec").putObject("claimRef").put("namespace", "default")
                .put("name", "data").put("uid", rig.store.get(claim).uid()));
        rig.pass(0);
        assertThat(List.of(phase(claim), phase(volume))).containsOnly("Bound");
    }

    @Test
    void aClaimThatAPodUsesGoesOnlyAfterIt() {
        localPath("Delete");
        provisioner();
        ObjectKey claim = claim("storageClassName: local-path");
        select(claim);
        ObjectKey pod = pod("a");
        rig.pass(0);
        assertThat(rig.get(claim).at("/metadata/finalizers/0").asText()).isEqualTo("kubernetes.io/pvc-protection");
        rig.store.delete(claim, 0, Preconditions.NONE);
        rig.pass(10);
        assertThat(rig.has(claim)).isTrue();
        rig.store.purge(pod);
        rig.pass(0);
        assertThat(rig.has(claim)).isFalse();
        assertThat(volumes()).as("it was to be deleted with its claim").isEmpty();
    }

    @Test
    void aVolumeThatIsToBeRetainedIsReleasedAndNotGivenToAnother() {
        ObjectKey volume = volume("kept", "20Gi", ", persistentVolumeReclaimPolicy: Retain");
        rig.pass(0);
        ObjectKey claim = claim("storageClassName: manual");
        rig.pass(0);
        rig.store.delete(claim, 0, Preconditions.NONE);
        rig.pass(0);
        assertThat(rig.has(claim)).isFalse();
        assertThat(phase(volume)).isEqualTo("Released");
        ObjectKey again = claim("storageClassName: manual");
        rig.pass(1);
        assertThat(phase(again)).isEqualTo("Pending");
    }

    @Test
    void aBoundVolumeThatIsDeletedWaitsForItsClaimAndALostOneIsSaid() {
        ObjectKey volume = volume("kept", "20Gi", "");
        rig.pass(0);
        ObjectKey claim = claim("storageClassName: manual");
        rig.pass(0);
        rig.store.delete(volume, 0, Preconditions.NONE);
        rig.pass(0);
        assertThat(rig.has(volume)).isTrue();
        rig.store.purge(volume);
        rig.pass(0);
        assertThat(phase(claim)).isEqualTo("Lost");
        assertThat(rig.events("data"))
                .contains("ClaimLost: Bound claim has lost its PersistentVolume. Any data on the volume is lost!");
    }
}
