package dev.pitwall.lab.kube.control.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.Optional;

/**
 * Keeps claims that pods use, and volumes that claims are bound to, until that is over. A pod that has come to its end
 * counts as long as it is there. [kubernetes: pvc_protection_controller.go, pv_protection_controller.go]
 */
final class Protection {
    static final String CLAIM = "kubernetes.io/pvc-protection";
    static final String VOLUME = "kubernetes.io/pv-protection";

    private final ControlPlane plane;
    private final ClusterHand claims;
    private final ClusterHand volumes;
    private final ClaimUsers users;

    Protection(ControlPlane plane, ClaimUsers users) {
        this.plane = plane;
        this.claims = plane.as("pvc-protection-controller").hand();
        this.volumes = plane.as("pv-protection-controller").hand();
        this.users = users;
    }

    void claim(ObjectKey key) {
        boolean used = users.of(key, plane.pods()).stream().anyMatch(pod -> !pod.node().isEmpty());
        protect(claims, key, CLAIM, used);
    }

    void volume(ObjectKey key) {
        boolean used = plane.objects().find(key).map(Volume::new)
                .filter(volume -> volume.phase().equals("Bound")).isPresent();
        protect(volumes, key, VOLUME, used);
    }

    private void protect(ClusterHand hand, ObjectKey key, String finalizer, boolean used) {
        Optional<Item> item = plane.objects().find(key);
        if (item.isEmpty()) {
            return;
        }
        boolean has = false;
        for (JsonNode there : item.get().tree().at("/metadata/finalizers")) {
            has |= there.asText().equals(finalizer);
        }
        if (item.get().isLeaving() && has && !used) {
            hand.status(key, object -> drop(object, finalizer));
        } else if (!item.get().isLeaving() && !has) {
            hand.status(key, object -> object.withObjectProperty("metadata").withArrayProperty("finalizers")
                    .add(finalizer));
        }
    }

    private static void drop(ObjectNode object, String finalizer) {
        ArrayNode finalizers = object.withObjectProperty("metadata").withArrayProperty("finalizers");
        finalizers.removeIf(there -> there.asText().equals(finalizer));
        if (finalizers.isEmpty()) {
            ((ObjectNode) object.path("metadata")).remove("finalizers");
        }
    }
}
