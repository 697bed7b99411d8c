package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects that one workload controller looks after, and which of them are concerned by what happens to others. */
final class Workloads {
    private final ControlPlane plane;
    private final Resource resource;
    private final Map<String, ObjectKey> byUid = new HashMap<>();

    Workloads(ControlPlane plane, Resource resource) {
        this.plane = plane;
        this.resource = resource;
    }

    boolean isOne(StoredObject object) {
        return object.key().resource().equals(resource);
    }

    void put(StoredObject workload) {
        byUid.put(workload.uid(), workload.key());
    }

    void remove(StoredObject workload) {
        byUid.remove(workload.uid());
    }

    /** @return empty also if the uid is that of something else */
    Optional<ObjectKey> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** Notes what has come or changed. @return those that are to be looked after: it, or those that a pod concerns */
    List<ObjectKey> seen(StoredObject object) {
        if (isOne(object)) {
            put(object);
            return List.of(object.key());
        }
        return isPod(object) ? concernedBy(plane.pods().news()) : List.of();
    }

    /** Notes what has gone. @return those that are to be looked after */
    List<ObjectKey> gone(StoredObject object) {
        if (isOne(object)) {
            remove(object);
            return List.of();
        }
        return isPod(object) ? concernedBy(plane.pods().news()) : List.of();
    }

    private static boolean isPod(StoredObject object) {
        return object.key().resource().equals(Resource.PODS);
    }

    /** Whose a pod is; if it is nobody's, whose it was and those whose selector takes it. */
    private List<ObjectKey> concernedBy(Pods.News news) {
        PodFacts pod = news.last();
        if (!pod.ownerUid().isEmpty()) {
            return find(pod.ownerUid()).stream().toList();
        }
        List<ObjectKey> concerned = new ArrayList<>();
        news.before().flatMap(before -> find(before.ownerUid())).ifPresent(concerned::add);
        concerned.addAll(selecting(pod.key().namespace(), pod.labels()));
        return concerned;
    }

    /** Those whose selector takes such labels. */
    List<ObjectKey> selecting(String namespace, Map<String, String> labels) {
        return plane.objects().in(resource, namespace).stream()
                .filter(workload -> Claims.selector(workload.tree()).test(labels)).map(Item::key).toList();
    }
}
