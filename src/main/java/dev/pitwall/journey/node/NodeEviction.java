package dev.pitwall.journey.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.NodePods;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Which pods leave the card's node before it reboots, and whether anybody can take them. */
public final class NodeEviction {
    /** The key of the question about it. */
    public static final String KEY = "drain";
    /** Pods are evicted although something of them is lost. */
    public static final String EVICT = "evict";

    private final Situation situation;
    private final Duration limit;

    /** @param limit how long the pods may take to leave */
    public NodeEviction(Situation situation, Duration limit) {
        this.situation = situation;
        this.limit = limit;
    }

    /** Empty without a cluster, and where no other node takes pods: nobody gains by an eviction then. */
    public Optional<Drain> drain() {
        return situation.nodeName().filter(n -> elsewhere())
                .map(node -> new Drain(situation.cluster().orElseThrow().name(), node, pods(), limit));
    }

    /** The pods that run on the node and do not belong to it. */
    public List<Drain.Pod> pods() {
        return situation.nodeName().flatMap(node -> situation.cluster()
                .map(c -> NodePods.leaving(c.all(ObjectType.POD), node))).orElse(List.of());
    }

    private boolean elsewhere() {
        return situation.cluster().map(c -> c.all(ObjectType.NODE).stream()
                .filter(n -> !n.at("/metadata/name").asText().equals(situation.nodeName().orElse("")))
                .anyMatch(NodeEviction::takesPods)).orElse(false);
    }

    /** A control plane that is kept free takes none of them. */
    private static boolean takesPods(JsonNode node) {
        boolean ready = node.at("/status/conditions").valueStream().anyMatch(c -> c.path("type").asText().equals("Ready")
                && c.path("status").asText().equals("True"));
        boolean closed = node.at("/spec/unschedulable").asBoolean(false) || node.at("/spec/taints").valueStream()
                .anyMatch(t -> t.path("key").asText().startsWith("node-role.kubernetes.io/"));
        return ready && !closed;
    }
}
