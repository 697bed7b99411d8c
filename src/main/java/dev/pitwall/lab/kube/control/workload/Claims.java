package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What belongs to an owner: what its selector matches and nobody owns is adopted, what it owns and does not match any
 * more is let go. An owner that is being deleted keeps what it has. [kubernetes: controller_ref_manager.go]
 */
final class Claims {
    private final ControlPlane plane;

    Claims(ControlPlane plane) {
        this.plane = plane;
    }

    /** @param which pods that are looked at at all */
    List<PodFacts> pods(Owner owner, Predicate<Map<String, String>> selector, Predicate<PodFacts> which) {
        List<PodFacts> own = new ArrayList<>();
        plane.pods().ownedBy(owner.object().uid()).stream().filter(which).forEach(own::add);
        if (owner.isLeaving()) {
            return own;
        }
        own.removeIf(pod -> !selector.test(pod.labels()) && release(pod.key(), owner));
        for (PodFacts orphan : plane.pods().orphans(owner.object().key().namespace())) {
            if (which.test(orphan) && orphan.deletion().isEmpty() && selector.test(orphan.labels())) {
                adopt(orphan.key(), owner);
                own.add(orphan);
            }
        }
        return own;
    }

    /** The same for other objects that {@link ControlPlane#objects} knows. */
    List<Item> objects(Resource resource, Owner owner, Predicate<Map<String, String>> selector) {
        String namespace = owner.object().key().namespace();
        List<Item> own = new ArrayList<>(plane.objects().ownedBy(resource, namespace, owner.object().uid()));
        if (owner.isLeaving()) {
            return own;
        }
        own.removeIf(item -> !selector.test(item.object().labels()) && release(item.key(), owner));
        for (Item item : plane.objects().in(resource, namespace)) {
            if (selector.test(item.object().labels()) && !item.isLeaving()
                    && Owners.controller(item.tree()).isMissingNode()) {
                adopt(item.key(), owner);
                own.add(item);
            }
        }
        return own;
    }

    /** True if the selector of a workload takes everything, which its controller refuses to work with. */
    static boolean takesAll(JsonNode workload) {
        JsonNode selector = workload.at("/spec/selector");
        return selector.isObject() && selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
    }

    static Selector selector(JsonNode workload) {
        return Selector.of(workload.at("/spec/selector"));
    }

    private void adopt(ObjectKey orphan, Owner owner) {
        plane.hand().change(orphan, object -> {
            if (Owners.controller(object).isMissingNode()) {
                Owners.own(object, owner.object(), owner.apiVersion(), owner.kind());
            }
        });
    }

    private boolean release(ObjectKey owned, Owner owner) {
        plane.hand().change(owned, object -> Owners.disown(object, Set.of(owner.object().uid())));
        return true;
    }
}
