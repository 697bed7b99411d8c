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
    private final Map<ObjectKey, PodFacts> byKey = new LinkedHashMap<>();
    private final Map<String, Map<ObjectKey, PodFacts>> byNode = new HashMap<>();
    private final Map<String, Map<ObjectKey, PodFacts>> byOwner = new HashMap<>();
    private final Map<String, Map<ObjectKey, PodFacts>> byNamespace = new HashMap<>();
    private News news = new News(Optional.empty(), Optional.empty());

    /** A pod before and after a change; empty where it is not there. */
    public record News(Optional<PodFacts> before, Optional<PodFacts> now) {
        /** The pod as it is, or as it was last. */
        public PodFacts last() {
            return now.or(() -> before).orElseThrow();
        }
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.PODS);
    }

    @Override
    public void observe(Change change) {
        news = switch (change) {
            case Change.Added added -> put(added.now());
            case Change.Modified modified -> put(modified.now());
            case Change.Deleted deleted -> new News(
                    remove(deleted.before().key()).or(() -> Optional.of(PodFacts.of(deleted.before()))),
                    Optional.empty());
        };
    }

    @Override
    public Instant act(Instant now) {
        return Instant.MAX;
    }

    /** What the change that is being told has done; for {@link Controller#observe} of those that come after. */
    public News news() {
        return news;
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

    public List<PodFacts> in(String namespace) {
        return List.copyOf(byNamespace.getOrDefault(namespace, Map.of()).values());
    }

    /** Pods of a namespace that no controller owns. */
    public List<PodFacts> orphans(String namespace) {
        return List.copyOf(byOwner.getOrDefault(orphansOf(namespace), Map.of()).values());
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

    private News put(StoredObject object) {
        Optional<PodFacts> before = remove(object.key());
        PodFacts pod = PodFacts.of(object);
        byKey.put(object.key(), pod);
        file(byNode, pod.node(), pod);
        file(byOwner, owner(pod), pod);
        file(byNamespace, object.key().namespace(), pod);
        return new News(before, Optional.of(pod));
    }

    private Optional<PodFacts> remove(ObjectKey key) {
        PodFacts pod = byKey.remove(key);
        if (pod != null) {
            drop(byNode, pod.node(), key);
            drop(byOwner, owner(pod), key);
            drop(byNamespace, key.namespace(), key);
        }
        return Optional.ofNullable(pod);
    }

    private static String owner(PodFacts pod) {
        return pod.ownerUid().isEmpty() ? orphansOf(pod.key().namespace()) : pod.ownerUid();
    }

    /** A slash is in no uid. */
    private static String orphansOf(String namespace) {
        return "/" + namespace;
    }

    private static void file(Map<String, Map<ObjectKey, PodFacts>> index, String value, PodFacts pod) {
        index.computeIfAbsent(value, v -> new LinkedHashMap<>()).put(pod.key(), pod);
    }

    private static void drop(Map<String, Map<ObjectKey, PodFacts>> index, String value, ObjectKey key) {
        index.computeIfPresent(value, (v, pods) -> {
            pods.remove(key);
            return pods.isEmpty() ? null : pods;
        });
    }
}
