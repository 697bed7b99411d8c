package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The ReplicaSet controller: as many pods as wanted, the least useful deleted first. */
public final class ReplicaSets implements Controller {
    /** Pods made in one turn; more are made in the next. */
    private static final int BURST = 500;

    private final ControlPlane plane;
    private final PodMaker maker;
    private final Claims claims;
    private final WorkQueue queue = new WorkQueue();
    /** Where a pod's owner is, by the owner's uid. */
    private final Map<String, ObjectKey> keys = new HashMap<>();

    public ReplicaSets(ControlPlane plane) {
        this.plane = plane;
        this.maker = new PodMaker(plane);
        this.claims = new Claims(plane);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.REPLICA_SETS, Resource.PODS);
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> seen(added.now().key(), added.now().uid());
            case Change.Modified modified -> seen(modified.now().key(), modified.now().uid());
            case Change.Deleted deleted -> {
                if (deleted.before().key().resource().equals(Resource.PODS)) {
                    podChanged();
                } else {
                    keys.remove(deleted.before().uid());
                }
            }
        }
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    private void seen(ObjectKey key, String uid) {
        if (key.resource().equals(Resource.PODS)) {
            podChanged();
        } else {
            keys.put(uid, key);
            queue.add(key);
        }
    }

    private void podChanged() {
        PodFacts pod = plane.pods().news().last();
        ObjectKey owner = keys.get(pod.ownerUid());
        if (owner != null) {
            queue.add(owner);
        } else if (pod.ownerUid().isEmpty()) {
            plane.objects().in(Resource.REPLICA_SETS, pod.key().namespace()).stream()
                    .filter(set -> Claims.selector(set.tree()).test(pod.labels()))
                    .forEach(set -> queue.add(set.key()));
        }
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key);
        if (found.isEmpty()) {
            return;
        }
        Item set = found.get();
        Owner owner = Owner.of(set, "apps/v1", "ReplicaSet", "replicaset-controller");
        int wanted = set.tree().at("/spec/replicas").asInt(1);
        Optional<String> failure = Optional.empty();
        List<PodFacts> active = claims.pods(owner, Claims.selector(set.tree()), PodFacts::isActive);
        if (!owner.isLeaving()) {
            if (active.size() < wanted) {
                failure = create(set, owner, wanted - active.size(), now);
            } else if (active.size() > wanted) {
                DeletionOrder.first(active, active.size() - wanted, now)
                        .forEach(pod -> maker.delete(pod, owner, now));
            }
        }
        status(set, active, failure, now);
        if (failure.isPresent()) {
            queue.failed(key, now);
        } else if (active.size() + BURST < wanted) {
            queue.add(key);
        }
    }

    /** As Kubernetes' slow start, one after the other up to the first that is refused. */
    private Optional<String> create(Item set, Owner owner, int missing, Instant now) {
        for (int i = 0; i < Math.min(missing, BURST); i++) {
            ObjectNode draft = PodMaker.draft(set.tree().at("/spec/template"), owner);
            Optional<String> refused = maker.create(draft, owner, set.key().name() + "-", now);
            if (refused.isPresent()) {
                return refused;
            }
        }
        return Optional.empty();
    }

    private void status(Item set, List<PodFacts> active, Optional<String> failure, Instant now) {
        JsonNode spec = set.tree().path("spec");
        int minReady = spec.path("minReadySeconds").asInt(0);
        Selector labels = Selector.ofMap(spec.at("/template/metadata/labels"));
        long ready = active.stream().filter(PodFacts::ready).count();
        long available = active.stream().filter(pod -> pod.isAvailable(minReady, now)).count();
        long labeled = active.stream().filter(pod -> labels.test(pod.labels())).count();
        plane.hand().status(set.key(), object -> {
            ObjectNode status = object.withObjectProperty("status");
            status.put("replicas", active.size());
            count(status, "fullyLabeledReplicas", labeled);
            count(status, "readyReplicas", ready);
            count(status, "availableReplicas", available);
            status.put("observedGeneration", set.tree().at("/metadata/generation").asLong());
            if (failure.isPresent() && Conditions.find(object, "ReplicaFailure").isMissingNode()) {
                // Later failures leave it as it is, though their texts name other pods. [kubernetes: calculateStatus]
                Conditions.set(object, new Conditions.Condition("ReplicaFailure", "True", "FailedCreate",
                        failure.get()), now);
            } else if (failure.isEmpty()) {
                Conditions.remove(object, "ReplicaFailure");
                if (object.at("/status/conditions").isEmpty()) {
                    ((ObjectNode) object.path("status")).remove("conditions");
                }
            }
        });
        if (minReady > 0) {
            active.stream().flatMap(pod -> pod.availableAt(minReady).stream()).filter(now::isBefore)
                    .min(Instant::compareTo).ifPresent(moment -> queue.at(set.key(), moment));
        }
    }

    /** A count of 0 is left out of the status, as {@code omitempty} has it. */
    private static void count(ObjectNode status, String field, long count) {
        if (count == 0) {
            status.remove(field);
        } else {
            status.put(field, count);
        }
    }
}
