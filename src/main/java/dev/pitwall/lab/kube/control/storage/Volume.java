package dev.pitwall.lab.kube.control.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.NodeTerms;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.store.ObjectKey;

/** A persistent volume as the controllers of storage and the scheduler read it. */
public record Volume(Item item) {
    static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
    /** Says that nobody but a controller has brought the volume and its claim together. */
    public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    public ObjectKey key() {
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
    public long bytes() {
        return Quantities.bytes(item.tree().at("/spec/capacity/storage"));
    }

    /** The nodes on which it can be used. */
    public NodeTerms nodes() {
        return NodeTerms.ofVolume(item.tree().at("/spec/nodeAffinity"));
    }

    /** True if no claim has it or is promised it. */
    public boolean isFree() {
        return claimRef().isMissingNode() && phase().equals("Available");
    }

    /** True if it is kept for this claim, by an administrator or because it was bound to it. */
    public boolean isFor(Claim claim) {
        JsonNode ref = claimRef();
        String uid = ref.path("uid").asText("");
        return ref.isObject() && Claim.of(ref).equals(claim.key()) && (uid.isEmpty() || uid.equals(claim.item().uid()));
    }

    /** True if it is what the claim asks for. */
    public boolean suits(Claim claim) {
        return !item.isLeaving() && item.tree().at("/spec/storageClassName").asText("").equals(claim.storageClass())
                && item.tree().at("/spec/volumeMode").asText("Filesystem").equals(claim.mode())
                && Texts.list(item.tree().at("/spec/accessModes")).containsAll(claim.modes())
                && bytes() >= claim.wantedBytes() && claim.selects(item.object().labels());
    }
}
