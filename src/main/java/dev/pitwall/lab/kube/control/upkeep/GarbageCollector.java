package dev.pitwall.lab.kube.control.upkeep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.Kinds;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.control.upkeep.OwnerGraph.Node;
import dev.pitwall.lab.kube.control.upkeep.Ownership.Owner;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The garbage collector: what its last owner has left goes too; an owner deleted in the foreground waits for those who
 * block it; one that orphans is taken out of its dependents first. It looks at every kind that is served, but events.
 * [kubernetes: pkg/controller/garbagecollector]
 */
public final class GarbageCollector implements Controller {
    /** Of the cache of absent owners. [kubernetes: pkg/controller/garbagecollector, NewGarbageCollector] */
    private static final int REMEMBERED = 500;

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final Kinds kinds;
    private final OwnerGraph graph = new OwnerGraph();
    private final WorkQueue queue = new WorkQueue();
    /** Objects with an owner of a kind that is not served: nothing can be said of them until it is. */
    private final Set<ObjectKey> undecided = new LinkedHashSet<>();
    /** Uids of owners that were seen to go: they are no more, whether their kind is still served or not. */
    private final Set<String> absent = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    });
    private Set<Resource> served = Set.of();
    private Set<Resource> watched = Set.of();
    private boolean kindsChanged;

    public GarbageCollector(ControlPlane plane, Kinds kinds) {
        this.plane = plane;
        this.hand = plane.as("generic-garbage-collector").hand();
        this.kinds = kinds;
    }

    /** How an owner stands. */
    private enum Standing { SOLID, WAITS_FOR_DEPENDENTS, ABSENT, UNKNOWN }

    @Override
    public Set<Resource> watches() {
        Set<Resource> now = kinds.resources();
        if (now != served) {
            served = now;
            watched = now.stream().filter(resource -> !resource.equals(Resource.EVENTS))
                    .collect(Collectors.toUnmodifiableSet());
            kindsChanged = true;
        }
        return watched;
    }

    @Override
    public void seen(StoredObject object) {
        Ownership says = Ownership.of(object);
        Optional<Node> before = graph.put(object, says);
        if (before.filter(node -> node.says().equals(says) && node.uid().equals(object.uid())).isPresent()) {
            return;
        }
        if (!says.owners().isEmpty() || says.isLeaving()) {
            queue.add(object.key());
        }
        says.owners().forEach(this::lookAfterWaiting);
        before.ifPresent(node -> node.says().owners().forEach(this::lookAfterWaiting));
    }

    @Override
    public void gone(StoredObject object) {
        graph.remove(object.key(), object.uid()).ifPresent(this::gone);
    }

    private void gone(Node node) {
        List<Node> dependents = graph.dependents(node.uid());
        dependents.forEach(dependent -> queue.add(dependent.key()));
        if (!dependents.isEmpty() && hand.find(node.key()).filter(there -> there.uid().equals(node.uid())).isEmpty()) {
            absent.add(node.uid());
        }
        node.says().owners().forEach(this::lookAfterWaiting);
    }

    /** An owner that waits for its dependents may have one less to wait for. */
    private void lookAfterWaiting(Owner owner) {
        graph.find(owner.uid()).filter(node -> node.says().waitsForDependents())
                .ifPresent(node -> queue.add(node.key()));
    }

    @Override
    public Instant act(Instant now) {
        if (kindsChanged) {
            kindsChanged = false;
            graph.all().stream().filter(node -> !watched.contains(node.key().resource()))
                    .forEach(node -> graph.remove(node.key(), node.uid()).ifPresent(this::gone));
            undecided.forEach(queue::add);
            undecided.clear();
        }
        return queue.work(now, this::sync);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Node> found = graph.find(key);
        if (found.isEmpty()) {
            return;
        }
        Node node = found.get();
        if (node.says().orphansDependents()) {
            graph.dependents(node.uid()).forEach(dependent -> disown(dependent, Set.of(node.uid())));
            finish(node, Finalizers.ORPHAN);
        } else if (node.says().waitsForDependents()) {
            await(node);
        } else if (!node.says().isLeaving() && !node.says().owners().isEmpty()) {
            collect(node, now);
        }
    }

    /** An owner that is deleted in the foreground goes when none is left that blocks it. */
    private void await(Node owner) {
        List<Node> dependents = graph.dependents(owner.uid());
        if (dependents.stream().noneMatch(dependent -> dependent.blocks(owner.uid()))) {
            finish(owner, Finalizers.FOREGROUND);
        }
        dependents.stream().filter(dependent -> !dependent.says().isLeaving())
                .forEach(dependent -> queue.add(dependent.key()));
    }

    private void collect(Node node, Instant now) {
        Map<Standing, List<Owner>> owners = new EnumMap<>(Standing.class);
        node.says().owners().forEach(owner -> owners.computeIfAbsent(standing(node, owner, now),
                standing -> new ArrayList<>()).add(owner));
        if (owners.containsKey(Standing.UNKNOWN)) {
            undecided.add(node.key());
        } else if (owners.containsKey(Standing.SOLID)) {
            owners.remove(Standing.SOLID);
            if (!owners.isEmpty()) {
                disown(node, owners.values().stream().flatMap(List::stream).map(Owner::uid)
                        .collect(Collectors.toUnmodifiableSet()));
            }
        } else if (owners.containsKey(Standing.WAITS_FOR_DEPENDENTS) && !graph.dependents(node.uid()).isEmpty()) {
            unblock(node);
            hand.delete(node.key(), node.uid(), object -> Finalizers.add(object, Finalizers.FOREGROUND));
        } else {
            hand.delete(node.key(), node.uid(), object -> { });
        }
    }

    private Standing standing(Node node, Owner owner, Instant now) {
        if (absent.contains(owner.uid())) {
            return Standing.ABSENT;
        }
        Optional<Resource> resource = kinds.findByApiVersion(owner.apiVersion(), owner.kind());
        if (resource.isEmpty()) {
            return Standing.UNKNOWN;
        }
        boolean namespaced = kinds.namespaced().contains(resource.get());
        if (namespaced && node.key().namespace().isEmpty()) {
            elsewhere(node, owner, now);
            return Standing.UNKNOWN;
        }
        ObjectKey key = new ObjectKey(resource.get(), namespaced ? node.key().namespace() : "", owner.name());
        Optional<Node> known = graph.find(owner.uid());
        if (known.filter(there -> there.key().equals(key)).isPresent()) {
            return standing(known.get().says());
        }
        Optional<StoredObject> live = hand.find(key).filter(object -> object.uid().equals(owner.uid()));
        if (live.isEmpty() && known.isPresent()) {
            elsewhere(node, owner, now);
        }
        return live.map(object -> standing(Ownership.of(object))).orElse(Standing.ABSENT);
    }

    private static Standing standing(Ownership owner) {
        return owner.waitsForDependents() ? Standing.WAITS_FOR_DEPENDENTS : Standing.SOLID;
    }

    /** The owner is there, but not in the object's namespace, where it would have to be. */
    private void elsewhere(Node node, Owner owner, Instant now) {
        String namespace = node.key().namespace();
        String message = "ownerRef [" + owner.apiVersion() + "/" + owner.kind() + ", namespace: " + namespace
                + ", name: " + owner.name() + ", uid: " + owner.uid() + "] does not exist in namespace \"" + namespace
                + "\"";
        hand.find(node.key()).ifPresent(object -> kinds.named(node.key().resource()).ifPresent(kind ->
                plane.events().record(new Subject(object, kind.apiVersion(), kind.kind()),
                        Source.of("garbage-collector-controller"), EventRecorder.Type.Warning,
                        "OwnerRefInvalidNamespace", message, now)));
    }

    /** Two that wait for each other would wait for ever. */
    private void unblock(Node node) {
        boolean circle = graph.dependents(node.uid()).stream()
                .anyMatch(dependent -> dependent.says().waitsForDependents());
        if (circle) {
            hand.status(node.key(), object -> object.at("/metadata/ownerReferences")
                    .forEach(reference -> ((ObjectNode) reference).put("blockOwnerDeletion", false)));
        }
    }

    private void disown(Node node, Set<String> owners) {
        hand.status(node.key(), object -> {
            if (object.at("/metadata/uid").asText().equals(node.uid())) {
                Owners.disown(object, owners);
            }
        });
    }

    private void finish(Node node, String finalizer) {
        hand.status(node.key(), object -> {
            if (object.at("/metadata/uid").asText().equals(node.uid())) {
                Finalizers.remove(object, finalizer);
            }
        });
    }
}
