package dev.pitwall.lab.kube.control;

import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All pods as the control plane knows them, by key, by node and by owner. It is the first in the {@link ControlLoop}, so
 * that the others see the same pods. Used by the loop's thread only.
 */
public final class Pods implements Controller {
    public static final Resource PODS = Resource.core("pods");

    private final Map<ObjectKey, PodFacts> byKey = new LinkedHashMap<>();
    private final Map<String, Map<ObjectKey, PodFacts>> byNode = new HashMap<>();
    private final Map<String, Map<ObjectKey, PodFacts>> byOwner = new HashMap<>();

    @Override
    public Set<Resource> watches() {
        return Set.of(PODS);
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> put(added.now());
            case Change.Modified modified -> put(modified.now());
            case Change.Deleted deleted -> remove(deleted.before().key());
        }
    }

    @Override
    public Instant act(Instant now) {
        return Instant.MAX;
    }

    public Collection<PodFacts> all() {
        return List.copyOf(byKey.values());
    }

    public Optional<PodFacts> find(ObjectKey key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** Pods bound to a node, those that are done included. */
    public List<PodFacts> onNode(String node) {
        return List.copyOf(byNode.getOrDefault(node, Map.of()).values());
    }

    /** Pods that a controller owns. */
    public List<PodFacts> ownedBy(String uid) {
        return List.copyOf(byOwner.getOrDefault(uid, Map.of()).values());
    }

    /** True if a pod with such labels runs and is ready: an agent of the cluster that lives in a pod acts only then. */
    public boolean isReady(String namespace, Map<String, String> labels) {
        return byKey.values().stream().anyMatch(pod -> pod.ready() && pod.deletion().isEmpty()
                && pod.key().namespace().equals(namespace)
                && pod.labels().entrySet().containsAll(labels.entrySet()));
    }

    private void put(StoredObject object) {
        remove(object.key());
        PodFacts pod = PodFacts.of(object);
        byKey.put(object.key(), pod);
        byNode.computeIfAbsent(pod.node(), n -> new LinkedHashMap<>()).put(object.key(), pod);
        byOwner.computeIfAbsent(pod.ownerUid(), o -> new LinkedHashMap<>()).put(object.key(), pod);
    }

    private void remove(ObjectKey key) {
        PodFacts pod = byKey.remove(key);
        if (pod != null) {
            drop(byNode, pod.node(), key);
            drop(byOwner, pod.ownerUid(), key);
        }
    }

    private static void drop(Map<String, Map<ObjectKey, PodFacts>> index, String value, ObjectKey key) {
        index.computeIfPresent(value, (v, pods) -> {
            pods.remove(key);
            return pods.isEmpty() ? null : pods;
        });
    }
}
