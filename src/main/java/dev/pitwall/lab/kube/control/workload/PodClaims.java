package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Owners;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Which pods are an object's: those it owns and selects, and orphans that it selects. An orphan becomes its own, a pod
 * that it does not select any more goes its own way. [kubernetes: controller_ref_manager.go]
 */
final class PodClaims {
    private final ControlPlane plane;

    PodClaims(ControlPlane plane) {
        this.plane = plane;
    }

    /**
     * Pods of an object that stays.
     *
     * @param fits what else an orphan must be like
     * @param mark what is written into an orphan that is taken, besides its owner
     */
    List<PodFacts> of(Owner owner, Selector selector, Predicate<PodFacts> fits, Consumer<ObjectNode> mark) {
        List<PodFacts> pods = new ArrayList<>();
        for (PodFacts pod : plane.pods().ownedBy(owner.object().uid())) {
            if (selector.test(pod.labels())) {
                pods.add(pod);
            } else {
                release(pod, owner.object().uid());
            }
        }
        for (PodFacts orphan : plane.pods().orphans(owner.object().key().namespace())) {
            if (orphan.deletion().isEmpty() && selector.test(orphan.labels()) && fits.test(orphan)) {
                plane.hand().change(orphan.key(), pod -> adopt(pod, owner, mark)).map(PodFacts::of)
                        .filter(pod -> pod.ownerUid().equals(owner.object().uid())).ifPresent(pods::add);
            }
        }
        return pods;
    }

    private static void adopt(ObjectNode pod, Owner owner, Consumer<ObjectNode> mark) {
        if (Owners.controller(pod).isMissingNode()) {
            Owners.own(pod, owner.object(), owner.apiVersion(), owner.kind());
            mark.accept(pod);
        }
    }

    private void release(PodFacts released, String uid) {
        plane.hand().change(released.key(), pod -> {
            Iterator<JsonNode> references = pod.path("metadata").path("ownerReferences").iterator();
            while (references.hasNext()) {
                if (references.next().path("uid").asText().equals(uid)) {
                    references.remove();
                }
            }
        });
    }
}
