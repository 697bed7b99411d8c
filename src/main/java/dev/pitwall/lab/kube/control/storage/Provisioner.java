package dev.pitwall.lab.kube.control.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.Json;
import java.util.List;
import java.util.Map;

/**
 * What makes volumes for the classes that name it; from {@code lab/kube/provisioners.yaml}.
 *
 * @param pods    labels of the pods that do it: without one that is ready nothing is made
 * @param modes   access modes it can
 * @param refusal what it says of other ones
 * @param paths   folder of its volumes by the namespace of its pods; empty if they are not folders of nodes
 */
record Provisioner(String name, Map<String, String> pods, List<String> modes, String refusal, Source source,
                   Map<String, String> paths) {
    Provisioner {
        paths = paths == null ? Map.of() : paths;
    }

    /** Kind of the volumes: a folder of one node, or a driver's. */
    enum Source { path, csi }

    private record Listing(List<Provisioner> provisioners) {
    }

    static List<Provisioner> all() {
        return DataFile.read("kube/provisioners.yaml", Listing.class).provisioners();
    }

    boolean isOne(PodFacts pod) {
        return pod.labels().entrySet().containsAll(pods.entrySet());
    }

    /** The volume for a claim. @param storageClass the claim's class */
    ObjectNode volume(Claim claim, ObjectNode storageClass, PodFacts self) {
        String name = nameOf(claim);
        ObjectNode volume = Json.object();
        ObjectNode metadata = volume.putObject("metadata");
        metadata.putObject("annotations").put(Volume.PROVISIONED_BY, this.name);
        metadata.putArray("finalizers").add(Protection.VOLUME);
        ObjectNode spec = volume.putObject("spec");
        spec.putObject("capacity").set("storage", claim.wanted().deepCopy());
        claim.modes().forEach(spec.putArray("accessModes")::add);
        claim.refer(volume);
        spec.put("persistentVolumeReclaimPolicy", storageClass.path("reclaimPolicy").asText("Delete"))
                .put("storageClassName", claim.storageClass()).put("volumeMode", claim.mode());
        switch (source) {
            case path -> path(volume, claim, paths.getOrDefault(self.key().namespace(), "/opt") + "/" + name + "_"
                    + claim.key().namespace() + "_" + claim.key().name());
            case csi -> spec.putObject("csi").put("driver", this.name).put("fsType", "ext4")
                    .put("volumeHandle", "0001-0009-" + self.key().namespace() + "-" + claim.item().uid());
        }
        return volume;
    }

    static String nameOf(Claim claim) {
        return "pvc-" + claim.item().uid();
    }

    private static void path(ObjectNode volume, Claim claim, String path) {
        String node = claim.annotation(Claim.SELECTED_NODE);
        ((ObjectNode) volume.at("/metadata/annotations")).put("local.path.provisioner/selected-node", node);
        ObjectNode spec = (ObjectNode) volume.path("spec");
        spec.putObject("hostPath").put("path", path).put("type", "DirectoryOrCreate");
        spec.putObject("nodeAffinity").putObject("required").putArray("nodeSelectorTerms").addObject()
                .putArray("matchExpressions").addObject().put("key", "kubernetes.io/hostname").put("operator", "In")
                .putArray("values").add(node);
    }
}
