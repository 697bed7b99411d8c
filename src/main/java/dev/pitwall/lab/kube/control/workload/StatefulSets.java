package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.Set;

/** The StatefulSet controller. */
public final class StatefulSets implements Controller {
    private final ControlPlane plane;
    private final WorkQueue queue = new WorkQueue();

    public StatefulSets(ControlPlane plane) {
        this.plane = plane;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(ControlPlane.STATEFUL_SETS);
    }

    @Override
    public void observe(Change change) {
        if (change instanceof Change.Added added) {
            queue.add(added.now().key());
        }
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, (key, moment) -> plane.objects().find(key));
    }
}
