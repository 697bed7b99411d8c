package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
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

/** The CronJob controller: Jobs when their schedule says so. [kubernetes: pkg/controller/cronjob] */
public final class CronJobs implements Controller {
    private final ControlPlane plane;
    private final PodMaker maker;
    private final WorkQueue queue = new WorkQueue();
    /** Where a CronJob is, by its uid. */
    private final Map<String, ObjectKey> keys = new HashMap<>();

    /** @param plane {@link ControlPlane#as} the {@code cronjob-controller} */
    public CronJobs(ControlPlane plane) {
        this.plane = plane;
        this.maker = new PodMaker(plane);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(ControlPlane.CRON_JOBS, ControlPlane.JOBS);
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> seen(added.now());
            case Change.Modified modified -> seen(modified.now());
            case Change.Deleted deleted -> {
                keys.remove(deleted.before().uid());
                jobChanged(deleted.before());
            }
        }
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    private void seen(StoredObject object) {
        if (object.key().resource().equals(ControlPlane.CRON_JOBS)) {
            keys.put(object.uid(), object.key());
            queue.add(object.key());
        } else {
            jobChanged(object);
        }
    }

    private void jobChanged(StoredObject job) {
        String owner = Owners.controller(job.tree()).path("uid").asText("");
        Optional.ofNullable(keys.get(owner)).ifPresent(queue::add);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key);
        if (found.isEmpty()) {
            return;
        }
        Item cron = found.get();
        Owner owner = Owner.of(cron, "batch/v1", "CronJob", "cronjob-controller");
        List<Item> jobs = plane.objects().ownedBy(ControlPlane.JOBS, key.namespace(), cron.uid());
        Instant due = new CronTurn(plane, maker, cron, owner, jobs, now).take();
        if (due.isBefore(Instant.MAX)) {
            queue.at(key, due);
        }
    }
}
