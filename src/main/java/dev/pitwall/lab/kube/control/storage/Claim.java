package dev.pitwall.lab.kube.control.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A volume claim as the controllers of storage read it. */
record Claim(Item item) {
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    ObjectKey key() {
        return item.key();
    }

    String annotation(String name) {
        return item.tree().path("metadata").path("annotations").path(name).asText("");
    }

    /** Empty for none; a claim of no class is bound to volumes of no class only. */
    String storageClass() {
        return item.tree().at("/spec/storageClassName").asText("");
    }

    /** The volume it is bound to, or wants; empty for none. */
    String volume() {
        return item.tree().at("/spec/volumeName").asText("");
    }

    boolean isBound() {
        return annotation(BIND_COMPLETED).equals("yes");
    }

    List<String> modes() {
        List<String> modes = new ArrayList<>();
        item.tree().at("/spec/accessModes").forEach(mode -> modes.add(mode.asText()));
        return modes;
    }

    JsonNode wanted() {
        return item.tree().at("/spec/resources/requests/storage");
    }

    /** @return bytes */
    long wantedBytes() {
        return Quantities.bytes(wanted());
    }

    String mode() {
        return item.tree().at("/spec/volumeMode").asText("Filesystem");
    }

    boolean selects(Map<String, String> labels) {
        JsonNode selector = item.tree().at("/spec/selector");
        return selector.isMissingNode() || Selector.of(selector).test(labels);
    }

    /** The object that a volume's {@code claimRef} names. */
    static ObjectKey of(JsonNode claimRef) {
        return new ObjectKey(ControlPlane.CLAIMS, claimRef.path("namespace").asText(), claimRef.path("name").asText());
    }
}
