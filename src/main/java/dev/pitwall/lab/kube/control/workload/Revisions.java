package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.Suffixes;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The ControllerRevisions of DaemonSets and StatefulSets: each template they had, numbered, for rollouts and for
 * {@code kubectl rollout undo}. [kubernetes: pkg/controller/history, pkg/controller/daemon/update.go]
 */
final class Revisions {
    /** The label that says which revision a pod is of. */
    static final String POD_HASH = "controller-revision-hash";

    private final ControlPlane plane;
    private final Claims claims;
    private final String hashLabel;

    /** @param hashLabel label of a revision that has the hash in its name */
    Revisions(ControlPlane plane, String hashLabel) {
        this.plane = plane;
        this.claims = new Claims(plane);
        this.hashLabel = hashLabel;
    }

    /** One template. @param hash the end of its name */
    record Revision(ObjectKey key, String hash, long number) {
        String name() {
            return key.name();
        }
    }

    /** All there are. @param old lowest number first */
    record History(Revision current, List<Revision> old) {
    }

    /**
     * The history of a workload as its template is now: a new one is made into a revision, one that was there before gets
     * the highest number again.
     *
     * @throws StoreRefusal {@code AlreadyExists} if another template has taken the name; the collision is counted in the
     *                      workload's status and the next try takes another name
     */
    History of(Owner owner, Item workload) {
        ObjectNode data = data(workload.tree());
        List<Revision> same = new ArrayList<>();
        List<Revision> old = new ArrayList<>();
        for (Item item : claims.objects(Resource.REVISIONS, owner, Claims.selector(workload.tree()))) {
            (item.tree().path("data").equals(data) ? same : old).add(revision(item.object(), item.tree()));
        }
        Comparator<Revision> byNumber = Comparator.comparingLong(Revision::number).thenComparing(Revision::name);
        same.sort(byNumber);
        old.sort(byNumber);
        long next = old.isEmpty() ? 1 : old.getLast().number() + 1;
        if (same.isEmpty()) {
            return new History(make(owner, workload, data, next), List.copyOf(old));
        }
        Revision current = same.removeLast();
        // Two of one template are left from adoption; the one of the lower number says nothing more.
        same.forEach(twin -> plane.hand().delete(twin.key()));
        return new History(current.number() < next ? raised(current, next) : current, List.copyOf(old));
    }

    /** Forgets the oldest above a limit, except those that pods are of. @param live hashes of the pods' revisions */
    void forget(List<Revision> old, int limit, Set<String> live) {
        int spare = Math.max(0, old.size() - limit);
        old.stream().filter(revision -> !live.contains(revision.hash())).limit(spare)
                .forEach(revision -> plane.hand().delete(revision.key()));
    }

    private Revision raised(Revision current, long number) {
        plane.hand().change(current.key(), there -> there.put("revision", number));
        return new Revision(current.key(), current.hash(), number);
    }

    private Revision make(Owner owner, Item workload, ObjectNode data, long number) {
        String hash = Suffixes.hash(workload.tree().at("/spec/template"),
                workload.tree().at("/status/collisionCount").asInt(0));
        ObjectNode draft = Json.object();
        ObjectNode metadata = draft.putObject("metadata");
        ObjectNode labels = metadata.putObject("labels");
        workload.tree().at("/spec/template/metadata/labels").properties()
                .forEach(label -> labels.set(label.getKey(), label.getValue()));
        labels.put(hashLabel, hash);
        if (workload.tree().at("/metadata/annotations").isObject()) {
            metadata.set("annotations", workload.tree().at("/metadata/annotations").deepCopy());
        }
        Owners.own(draft, owner.object(), owner.apiVersion(), owner.kind());
        draft.set("data", data);
        draft.put("revision", number);
        ObjectKey key = new ObjectKey(Resource.REVISIONS, workload.key().namespace(),
                workload.key().name() + "-" + hash);
        Optional<StoredObject> there = plane.hand().find(key);
        if (there.isPresent() && !there.get().tree().path("data").equals(data)) {
            plane.hand().status(workload.key(), object -> object.withObjectProperty("status")
                    .put("collisionCount", object.at("/status/collisionCount").asInt(0) + 1));
        }
        StoredObject made = there.filter(object -> object.tree().path("data").equals(data))
                .orElseGet(() -> plane.hand().create(key, draft));
        return revision(made, made.tree());
    }

    private Revision revision(StoredObject object, JsonNode tree) {
        String hash = object.labels().getOrDefault(hashLabel, object.key().name());
        return new Revision(object.key(), hash, tree.path("revision").asLong());
    }

    /** A patch that brings the template back. */
    private static ObjectNode data(JsonNode workload) {
        ObjectNode data = Json.object();
        ObjectNode template = workload.at("/spec/template").deepCopy();
        data.putObject("spec").set("template", template.put("$patch", "replace"));
        return data;
    }
}
