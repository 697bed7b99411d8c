package dev.pitwall.lab.kube.control.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.HashSet;
import java.util.Set;

/** A persistent volume as the controllers of storage read it. */
record Volume(Item item) {
    static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
    static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    ObjectKey key() {
        return item.key();
    }

    String phase() {
        return item.tree().at("/status/phase").asText("");
    }

    String annotation(String name) {
        return item.tree().path("metadata").path("annotations").path(name).asText("");
    }

    /** Missing if no claim has it. */
    JsonNode claimRef() {
        return item.tree().at("/spec/claimRef");
    }

    String reclaimPolicy() {
        return item.tree().at("/spec/persistentVolumeReclaimPolicy").asText("Retain");
    }

    /** @return bytes */
    long bytes() {
        return Quantities.bytes(item.tree().at("/spec/capacity/storage"));
    }

    /** True if it is kept for this claim, by an administrator or because it was bound to it. */
    boolean isFor(Claim claim) {
        JsonNode ref = claimRef();
        String uid = ref.path("uid").asText("");
        return ref.isObject() && Claim.of(ref).equals(claim.key()) && (uid.isEmpty() || uid.equals(claim.item().uid()));
    }

    /** True if the claim could have it. */
    boolean suits(Claim claim) {
        Set<String> modes = new HashSet<>();
        item.tree().at("/spec/accessModes").forEach(mode -> modes.add(mode.asText()));
        return !item.isLeaving() && item.tree().at("/spec/storageClassName").asText("").equals(claim.storageClass())
                && item.tree().at("/spec/volumeMode").asText("Filesystem").equals(claim.mode())
                && modes.containsAll(claim.modes()) && bytes() >= claim.wantedBytes()
                && claim.selects(item.object().labels());
    }
}
