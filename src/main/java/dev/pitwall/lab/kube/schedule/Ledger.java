package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.schedule.NodeLoad.Held;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is taken on every node, kept up to date change by change; what was just bound counts at once. */
final class Ledger {
    private final TreeMap<String, NodeLoad> byName = new TreeMap<>();
    /** The same, for the many look-ups. */
    private final Map<String, NodeLoad> loads = new HashMap<>();
    private final Map<String, Map<ObjectKey, Held>> byNamespace = new HashMap<>();
    private final Map<ObjectKey, Held> held = new HashMap<>();
    /** Those that keep others away. */
    private final Map<ObjectKey, Held> apart = new LinkedHashMap<>();
    /** Unbound pods for which others leave a node, by node. */
    private final Map<String, Map<ObjectKey, Held>> nominated = new HashMap<>();
    private final Map<ObjectKey, String> nominations = new HashMap<>();
    private List<NodeLoad> nodes = List.of();

    void node(String name, Optional<NodeFacts> now) {
        load(name).node(now);
        dropIfUnused(name);
        nodes = byName.values().stream().filter(NodeLoad::isThere).toList();
    }

    /**
     * A pod is bound or has changed since.
     *
     * @return true if others may see it with other eyes: it is new on its node, or has other labels
     */
    boolean put(PodFacts pod) {
        Held before = held.get(pod.key());
        boolean same = before != null && before.pod().uid().equals(pod.uid())
                && before.pod().node().equals(pod.node());
        remove(pod.key());
        Held now = new Held(pod, same ? before.demand() : Demand.of(pod));
        held.put(pod.key(), now);
        load(pod.node()).add(now);
        byNamespace.computeIfAbsent(pod.key().namespace(), n -> new LinkedHashMap<>()).put(pod.key(), now);
        if (!now.demand().antiAffinity().isEmpty()) {
            apart.put(pod.key(), now);
        }
        return !same || !before.pod().labels().equals(pod.labels());
    }

    Optional<Held> find(ObjectKey key) {
        return Optional.ofNullable(held.get(key));
    }

    /** @return false if it was not there */
    boolean remove(ObjectKey key) {
        Held before = held.remove(key);
        if (before != null) {
            loads.get(before.pod().node()).remove(key);
            dropIfUnused(before.pod().node());
            byNamespace.get(key.namespace()).remove(key);
            apart.remove(key);
        }
        return before != null;
    }

    /** An unbound pod waits for others to leave a node. @param node empty for none */
    void nominate(PodFacts pod, Demand demand, String node) {
        unnominate(pod.key());
        if (!node.isEmpty()) {
            nominations.put(pod.key(), node);
            nominated.computeIfAbsent(node, n -> new LinkedHashMap<>()).put(pod.key(), new Held(pod, demand));
        }
    }

    void unnominate(ObjectKey key) {
        String node = nominations.remove(key);
        if (node != null) {
            nominated.computeIfPresent(node, (n, pods) -> {
                pods.remove(key);
                return pods.isEmpty() ? null : pods;
            });
        }
    }

    /** Unbound pods that wait for others to leave a node. */
    Collection<Held> nominated(String node) {
        return nominated.getOrDefault(node, Map.of()).values();
    }

    /** Nodes that are there, by name. */
    List<NodeLoad> nodes() {
        return nodes;
    }

    /** @return empty if there is no such node */
    Optional<NodeFacts> node(String name) {
        NodeLoad load = loads.get(name);
        return load == null || !load.isThere() ? Optional.empty() : Optional.of(load.node());
    }

    /** What a node that is there holds. */
    Optional<NodeLoad> there(String name) {
        return Optional.ofNullable(loads.get(name)).filter(NodeLoad::isThere);
    }

    Collection<Held> in(String namespace) {
        return byNamespace.getOrDefault(namespace, Map.of()).values();
    }

    Collection<Held> all() {
        return held.values();
    }

    Collection<Held> apart() {
        return apart.values();
    }

    private NodeLoad load(String name) {
        return loads.computeIfAbsent(name, n -> {
            NodeLoad load = new NodeLoad();
            byName.put(n, load);
            return load;
        });
    }

    private void dropIfUnused(String name) {
        NodeLoad load = loads.get(name);
        if (!load.isThere() && load.pods().isEmpty()) {
            loads.remove(name);
            byName.remove(name);
        }
    }
}
