package dev.pitwall.lab.kube.api;

import dev.pitwall.lab.kube.store.Resource;
import java.util.Set;

/**
 * Says what the lab's cluster does not do: it has no scheduler and no controllers for what clients make, so their
 * workloads are kept as objects and never run. A client must not take the silence for success.
 */
final class NotRunYet {
    private static final Set<Resource> WORKLOADS = Set.of(Resource.core("pods"), new Resource("apps", "deployments"),
            new Resource("apps", "replicasets"), new Resource("apps", "statefulsets"),
            new Resource("apps", "daemonsets"), new Resource("batch", "jobs"), new Resource("batch", "cronjobs"));

    private NotRunYet() {
    }

    /** Warns whoever makes one. */
    static void warn(Call call, Resource made) {
        if (WORKLOADS.contains(made)) {
            call.warn("the practice lab keeps this object and does not run it:"
                    + " pods of workloads that a client makes are not scheduled yet");
        }
    }
}
