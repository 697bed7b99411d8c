package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the pods bound to a node hold of it, kept as a sum. A terminating pod counts until it is gone, a finished one
 * does not. [facts: cluster.md 7.1]
 */
final class NodeLoad {
    /** A pod without a request counts so much when nodes are compared. [kubernetes: non_zero.go] */
    private static final Map<String, Long> USUAL = Map.of("cpu", 100L, "memory", 200L * 1024 * 1024);

    private final Map<String, Long> used = new HashMap<>();
    private final Map<String, Long> guessed = new HashMap<>();
    private final Map<Demand.Port, Integer> ports = new HashMap<>();
    private final Map<String, Integer> byOwner = new HashMap<>();
    private final Map<ObjectKey, Held> pods = new LinkedHashMap<>();
    private Optional<NodeFacts> node = Optional.empty();

    /** A pod that counts, and what it asked for. */
    record Held(PodFacts pod, Demand demand) {
    }

    NodeFacts node() {
        return node.orElseThrow();
    }

    boolean isThere() {
        return node.isPresent();
    }

    void node(Optional<NodeFacts> now) {
        node = now;
    }

    Collection<Held> pods() {
        return pods.values();
    }

    long used(String resource) {
        return used.getOrDefault(resource, 0L);
    }

    /** Of CPU or memory, with a usual amount for each pod that names none. */
    long guessed(String resource) {
        return guessed.getOrDefault(resource, 0L);
    }

    static long guess(PodFacts pod, String resource) {
        long asked = pod.requests(resource);
        return asked > 0 ? asked : USUAL.getOrDefault(resource, 0L);
    }

    boolean takes(Demand.Port port) {
        for (Demand.Port taken : ports.keySet()) {
            if (taken.clashes(port)) {
                return true;
            }
        }
        return false;
    }

    /** How many of its pods a controller owns. */
    int ownedBy(String uid) {
        return byOwner.getOrDefault(uid, 0);
    }

    void add(Held held) {
        remove(held.pod().key());
        pods.put(held.pod().key(), held);
        count(held, 1);
    }

    void remove(ObjectKey key) {
        Held before = pods.remove(key);
        if (before != null) {
            count(before, -1);
        }
    }

    /** The same node with nothing on it. */
    NodeLoad bare() {
        NodeLoad bare = new NodeLoad();
        bare.node = node;
        return bare;
    }

    /** One to try things out on. */
    NodeLoad copy() {
        NodeLoad copy = bare();
        pods.values().forEach(copy::add);
        return copy;
    }

    private void count(Held held, int sign) {
        held.pod().requests().forEach((resource, amount) -> used.merge(resource, sign * amount, Long::sum));
        used.merge("pods", (long) sign, Long::sum);
        USUAL.keySet().forEach(resource -> guessed.merge(resource, sign * guess(held.pod(), resource), Long::sum));
        held.demand().ports().forEach(port -> count(ports, port, sign));
        count(byOwner, held.pod().ownerUid(), sign);
    }

    private static <K> void count(Map<K, Integer> counts, K of, int sign) {
        counts.merge(of, sign, (a, b) -> a + b == 0 ? null : a + b);
    }
}
