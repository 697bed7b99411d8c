package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The CronJob controller: Jobs when their schedule says so. [kubernetes: pkg/controller/cronjob] */
public final class CronJobs implements Controller {
    private final ControlPlane plane;
    private final PodMaker maker;
    private final Workloads cronJobs;
    private final WorkQueue queue = new WorkQueue();

    public CronJobs(ControlPlane shared) {
        this.plane = shared.as("cronjob-controller");
        this.maker = new PodMaker(plane);
        this.cronJobs = new Workloads(plane, Resource.CRON_JOBS);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.CRON_JOBS, Resource.JOBS);
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    @Override
    public void seen(StoredObject object) {
        if (cronJobs.isOne(object)) {
            cronJobs.put(object);
            queue.add(object.key());
        } else {
            jobChanged(object);
        }
    }

    @Override
    public void gone(StoredObject object) {
        if (cronJobs.isOne(object)) {
            cronJobs.remove(object);
        } else {
            jobChanged(object);
        }
    }

    private void jobChanged(StoredObject job) {
        cronJobs.find(Owners.controller(job.tree()).path("uid").asText("")).ifPresent(queue::add);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key);
        if (found.isEmpty()) {
            return;
        }
        Item cron = found.get();
        Owner owner = Owner.of(cron, "batch/v1", "CronJob", "cronjob-controller");
        List<Item> jobs = plane.objects().ownedBy(Resource.JOBS, key.namespace(), cron.uid());
        Instant due = new CronTurn(plane, maker, cron, owner, jobs, now).take();
        if (due.isBefore(Instant.MAX)) {
            queue.at(key, due);
        }
    }
}
