package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Deployment controller: a ReplicaSet for each template, and new ones take over from old ones as the strategy says.
 * [kubernetes: pkg/controller/deployment]
 */
public final class Deployments implements Controller {
    private final ControlPlane plane;
    private final Claims claims;
    private final PodMaker maker;
    private final Workloads deployments;
    private final WorkQueue queue = new WorkQueue();
    /** The uid of a ReplicaSet's Deployment, by the ReplicaSet's uid. */
    private final Map<String, String> owners = new HashMap<>();

    public Deployments(ControlPlane shared) {
        this.plane = shared.as("deployment-controller");
        this.claims = new Claims(plane);
        this.deployments = new Workloads(plane, Resource.DEPLOYMENTS);
        this.maker = new PodMaker(plane);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.DEPLOYMENTS, Resource.REPLICA_SETS, Resource.PODS);
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    @Override
    public void seen(StoredObject object) {
        if (deployments.isOne(object)) {
            deployments.put(object);
            queue.add(object.key());
        } else if (object.key().resource().equals(Resource.REPLICA_SETS)) {
            plane.objects().find(object.key()).ifPresent(this::setSeen);
        }
    }

    @Override
    public void gone(StoredObject object) {
        if (deployments.isOne(object)) {
            deployments.remove(object);
        } else if (object.key().resource().equals(Resource.REPLICA_SETS)) {
            Optional.ofNullable(owners.remove(object.uid())).ifPresent(this::dirty);
        } else {
            // Recreate waits until the last of the old pods is gone.
            Optional.ofNullable(owners.get(plane.pods().news().last().ownerUid())).ifPresent(this::dirty);
        }
    }

    private void setSeen(Item set) {
        String owner = Owners.controller(set.tree()).path("uid").asText("");
        Optional<String> before = Optional.ofNullable(owners.put(set.uid(), owner));
        dirty(owner);
        before.filter(uid -> !uid.equals(owner)).ifPresent(this::dirty);
        if (owner.isEmpty()) {
            deployments.selecting(set.key().namespace(), set.object().labels()).forEach(queue::add);
        }
    }

    private void dirty(String deployment) {
        deployments.find(deployment).ifPresent(queue::add);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key);
        if (found.isEmpty()) {
            return;
        }
        Item item = found.get();
        Owner owner = Owner.of(item, "apps/v1", "Deployment", "deployment-controller");
        if (Claims.takesAll(item.tree())) {
            maker.event(owner, Type.Warning, "SelectingAll",
                    "This deployment is selecting all pods. A non-empty selector is required.", now);
            return;
        }
        List<RevisionSet> sets = claims.objects(Resource.REPLICA_SETS, owner, Claims.selector(item.tree())).stream()
                .map(RevisionSet::new).toList();
        Rollout rollout = new Rollout(plane, DeploymentPlan.of(item), owner, sets, now);
        work(rollout);
        rollout.status().comesBack().ifPresent(moment -> queue.at(key, moment));
    }

    private void work(Rollout rollout) {
        DeploymentPlan plan = rollout.plan();
        if (!plan.item().isLeaving()) {
            rollout.status().pauses();
        }
        rollout.number();
        Scaling scaling = new Scaling(rollout);
        if (plan.item().isLeaving()) {
            rollout.report();
        } else if (plan.paused()) {
            scaling.scale();
            rollout.forget();
            rollout.report();
        } else if (scaling.isDue()) {
            scaling.scale();
            rollout.report();
        } else {
            boolean moved = switch (plan.strategy()) {
                case RECREATE -> recreate(rollout);
                case ROLLING_UPDATE -> new RollingSteps(rollout).step();
            };
            if (!moved && rollout.status().wasComplete()) {
                rollout.forget();
            }
            rollout.reportProgress();
        }
    }

    /** All old pods go before the first new one comes. @return true while it waits for that */
    private boolean recreate(Rollout rollout) {
        List<RevisionSet> active = rollout.activeOld();
        active.forEach(set -> rollout.size(set, 0));
        if (!active.isEmpty() || hasOldPods(rollout)) {
            return true;
        }
        rollout.resize(rollout.require(), rollout.plan().replicas());
        return false;
    }

    private boolean hasOldPods(Rollout rollout) {
        return rollout.old().stream().anyMatch(set -> set.actual() > 0
                || plane.pods().ownedBy(set.uid()).stream().anyMatch(pod -> !pod.isDone()));
    }
}
