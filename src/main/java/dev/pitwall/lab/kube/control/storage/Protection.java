package dev.pitwall.lab.kube.control.storage;

import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.object.Finalizers;
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
        boolean has = Finalizers.has(item.get().tree(), finalizer);
        if (item.get().isLeaving() && has && !used) {
            hand.status(key, object -> Finalizers.remove(object, finalizer));
        } else if (!item.get().isLeaving() && !has) {
            hand.status(key, object -> Finalizers.add(object, finalizer));
        }
    }
}
