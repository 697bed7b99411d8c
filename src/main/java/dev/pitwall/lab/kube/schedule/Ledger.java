package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.schedule.NodeLoad.Held;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is taken on every node, kept up to date change by change; what was just bound counts at once. */
final class Ledger {
    private final TreeMap<String, NodeLoad> loads = new TreeMap<>();
    private final Map<String, Map<ObjectKey, Held>> byNamespace = new HashMap<>();
    private final Map<ObjectKey, Held> held = new HashMap<>();
    /** Those that keep others away. */
    private final Map<ObjectKey, Held> apart = new LinkedHashMap<>();

    void node(String name, Optional<NodeFacts> now) {
        NodeLoad load = loads.computeIfAbsent(name, n -> new NodeLoad());
        load.node(now);
        if (now.isEmpty() && load.pods().isEmpty()) {
            loads.remove(name);
        }
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
        loads.computeIfAbsent(pod.node(), n -> new NodeLoad()).add(now);
        byNamespace.computeIfAbsent(pod.key().namespace(), n -> new LinkedHashMap<>()).put(pod.key(), now);
        if (!now.demand().antiAffinity().isEmpty()) {
            apart.put(pod.key(), now);
        }
        return !same || !before.pod().labels().equals(pod.labels());
    }

    /** @return false if it was not there */
    boolean remove(ObjectKey key) {
        Held before = held.remove(key);
        if (before != null) {
            NodeLoad load = loads.get(before.pod().node());
            load.remove(key);
            if (!load.isThere() && load.pods().isEmpty()) {
                loads.remove(before.pod().node());
            }
            byNamespace.get(key.namespace()).remove(key);
            apart.remove(key);
        }
        return before != null;
    }

    /** Nodes that are there, by name. */
    List<NodeLoad> nodes() {
        List<NodeLoad> there = new ArrayList<>(loads.size());
        for (NodeLoad load : loads.values()) {
            if (load.isThere()) {
                there.add(load);
            }
        }
        return there;
    }

    /** @return empty if there is no such node */
    Optional<NodeFacts> node(String name) {
        NodeLoad load = loads.get(name);
        return load == null || !load.isThere() ? Optional.empty() : Optional.of(load.node());
    }

    Optional<NodeLoad> load(String name) {
        return Optional.ofNullable(loads.get(name));
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
}
