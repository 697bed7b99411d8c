package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Change;
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
    private final WorkQueue queue = new WorkQueue();
    /** Deployments by uid. */
    private final Map<String, ObjectKey> keys = new HashMap<>();
    /** The uid of a ReplicaSet's Deployment, by the ReplicaSet's uid. */
    private final Map<String, String> owners = new HashMap<>();

    /** @param plane {@link ControlPlane#as} the {@code deployment-controller} */
    public Deployments(ControlPlane plane) {
        this.plane = plane;
        this.claims = new Claims(plane);
        this.maker = new PodMaker(plane);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(ControlPlane.DEPLOYMENTS, ControlPlane.REPLICA_SETS, Pods.PODS);
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> seen(added.now());
            case Change.Modified modified -> seen(modified.now());
            case Change.Deleted deleted -> gone(deleted.before());
        }
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    private void seen(StoredObject object) {
        if (object.key().resource().equals(ControlPlane.DEPLOYMENTS)) {
            keys.put(object.uid(), object.key());
            queue.add(object.key());
        } else if (object.key().resource().equals(ControlPlane.REPLICA_SETS)) {
            plane.objects().find(object.key()).ifPresent(this::setSeen);
        }
    }

    private void gone(StoredObject object) {
        if (object.key().resource().equals(Pods.PODS)) {
            podGone(plane.pods().news().last());
        } else if (object.key().resource().equals(ControlPlane.REPLICA_SETS)) {
            dirty(owners.remove(object.uid()));
        } else {
            keys.remove(object.uid());
        }
    }

    private void setSeen(Item set) {
        String owner = Owners.controller(set.tree()).path("uid").asText("");
        String before = owners.put(set.uid(), owner);
        dirty(owner);
        if (!owner.equals(before)) {
            dirty(before);
        }
        if (owner.isEmpty()) {
            plane.objects().in(ControlPlane.DEPLOYMENTS, set.key().namespace()).stream()
                    .filter(deployment -> Claims.selector(deployment.tree()).test(set.object().labels()))
                    .forEach(deployment -> queue.add(deployment.key()));
        }
    }

    /** Recreate waits until the last of the old pods is gone. */
    private void podGone(PodFacts pod) {
        dirty(owners.get(pod.ownerUid()));
    }

    private void dirty(String uid) {
        ObjectKey key = uid == null ? null : keys.get(uid);
        if (key != null) {
            queue.add(key);
        }
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
        List<RevisionSet> sets = claims.objects(ControlPlane.REPLICA_SETS, owner, Claims.selector(item.tree())).stream()
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
