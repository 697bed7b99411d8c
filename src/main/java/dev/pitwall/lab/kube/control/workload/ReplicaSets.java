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
import dev.pitwall.lab.kube.object.OmitEmpty;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The ReplicaSet controller: as many pods as wanted, the least useful deleted first. */
public final class ReplicaSets implements Controller {
    /** Pods made in one turn; more are made in the next. */
    private static final int BURST = 500;

    private final ControlPlane plane;
    private final PodMaker maker;
    private final Claims claims;
    private final Workloads sets;
    private final WorkQueue queue = new WorkQueue();

    public ReplicaSets(ControlPlane shared) {
        this.plane = shared.as("replicaset-controller");
        this.maker = new PodMaker(plane);
        this.claims = new Claims(plane);
        this.sets = new Workloads(plane, Resource.REPLICA_SETS);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.REPLICA_SETS, Resource.PODS);
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    @Override
    public void seen(StoredObject object) {
        sets.seen(object).forEach(queue::add);
    }

    @Override
    public void gone(StoredObject object) {
        sets.gone(object).forEach(queue::add);
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
            OmitEmpty.put(status, "fullyLabeledReplicas", labeled);
            OmitEmpty.put(status, "readyReplicas", ready);
            OmitEmpty.put(status, "availableReplicas", available);
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
        PodFacts.nextAvailable(active, minReady, now).ifPresent(moment -> queue.at(set.key(), moment));
    }
}
