package dev.pitwall.lab.kube.agent.kyverno;

import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The policies of the cluster, each version read once. Safe for any number of threads. */
final class Policies {
    static final Resource POLICIES = new Resource("kyverno.io", "clusterpolicies");

    private final ObjectStore store;
    private final Map<ObjectKey, Policy> read = new ConcurrentHashMap<>();

    Policies(ObjectStore store) {
        this.store = store;
    }

    /** By name, as Kyverno goes through them; those that are on their way out no longer count. */
    List<Policy> all() {
        return store.list(POLICIES, "").objects().stream()
                .map(object -> read.compute(object.key(), (key, known) ->
                        known != null && known.object().revision() == object.revision() ? known : Policy.of(object)))
                .toList();
    }
}
