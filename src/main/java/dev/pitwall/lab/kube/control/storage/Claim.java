package dev.pitwall.lab.kube.control.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.util.List;
import java.util.Map;

/** A volume claim as the controllers of storage and the scheduler read it. */
public record Claim(Item item) {
    /** Node of the pod for which the claim's volume is to be made; the scheduler writes it. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    public ObjectKey key() {
        return item.key();
    }

    /** Empty if there is none of the name. */
    public String annotation(String name) {
        return item.tree().path("metadata").path("annotations").path(name).asText("");
    }

    /** Empty for none; a claim of no class is bound to volumes of no class only. */
    public String storageClass() {
        return item.tree().at("/spec/storageClassName").asText("");
    }

    /** The volume it is bound to, or wants; empty for none. */
    public String volume() {
        return item.tree().at("/spec/volumeName").asText("");
    }

    /** {@code Pending}, {@code Bound} or {@code Lost}; empty while nobody has looked at it. */
    public String phase() {
        return item.tree().at("/status/phase").asText("");
    }

    /** True if it has its volume and both know it. */
    public boolean isUsable() {
        return !volume().isEmpty() && phase().equals("Bound");
    }

    boolean isBound() {
        return annotation(BIND_COMPLETED).equals("yes");
    }

    List<String> modes() {
        return Texts.list(item.tree().at("/spec/accessModes"));
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
        return !selector.isObject() || Selector.of(selector).test(labels);
    }

    /** Writes into a volume that it is this claim's. */
    public void refer(ObjectNode volume) {
        volume.withObjectProperty("spec").putObject("claimRef").put("kind", "PersistentVolumeClaim")
                .put("namespace", key().namespace()).put("name", key().name()).put("uid", item.uid())
                .put("apiVersion", "v1").put("resourceVersion", Long.toString(item.object().revision()));
    }

    /** The object that a volume's {@code claimRef} names. */
    static ObjectKey of(JsonNode claimRef) {
        return new ObjectKey(Resource.VOLUME_CLAIMS, claimRef.path("namespace").asText(),
                claimRef.path("name").asText());
    }
}
