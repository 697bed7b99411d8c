package dev.pitwall.lab.kube.control.node;

import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How fast pods are driven out of nodes that are not ready: one node of a zone in ten seconds, also of a zone that is
 * down as a whole; slower where more than half of a zone is down, or not at all in a small one. If no node of the cluster
 * is ready it is more likely the control plane that is cut off, and nobody is driven out. [kubernetes:
 * node_lifecycle_controller.go, handleDisruption, ComputeZoneState; flags {@code --node-eviction-rate},
 * {@code --secondary-node-eviction-rate}, {@code --unhealthy-zone-threshold}, {@code --large-cluster-size-threshold}]
 */
final class Zones {
    private static final Duration USUAL = Duration.ofSeconds(10);
    private static final Duration SLOW = Duration.ofSeconds(100);
    private static final double UNHEALTHY = 0.55;
    private static final int LARGE = 50;
    /** Fewer nodes that are not ready are no sign of anything. */
    private static final int FEW = 2;

    private final Nodes nodes;
    private final Map<String, Instant> next = new HashMap<>();

    Zones(Nodes nodes) {
        this.nodes = nodes;
    }

    private static String name(NodeFacts node) {
        return node.labels().getOrDefault("topology.kubernetes.io/region", "") + ":"
                + node.labels().getOrDefault("topology.kubernetes.io/zone", "");
    }

    private List<NodeFacts> of(NodeFacts node) {
        return nodes.all().stream().filter(other -> name(other).equals(name(node))).toList();
    }

    /** True if not one node of the cluster is ready. */
    boolean allDown() {
        return nodes.all().stream().noneMatch(NodeFacts::isReady);
    }

    /** When it is a node's turn; empty for never, as long as its zone is as it is. */
    Optional<Instant> turn(NodeFacts node, Instant now) {
        List<NodeFacts> zone = of(node);
        return pace(zone).map(pace -> {
            Instant turn = next.getOrDefault(name(node), Instant.MIN);
            return turn.isBefore(now) ? now : turn;
        });
    }

    /** Its pods are driven out now. */
    void taken(NodeFacts node, Instant now) {
        pace(of(node)).ifPresent(pace -> next.put(name(node), now.plus(pace)));
    }

    private static Optional<Duration> pace(List<NodeFacts> zone) {
        long down = zone.stream().filter(node -> !node.isReady()).count();
        boolean unhealthy = down < zone.size() && down > FEW && (double) down / zone.size() >= UNHEALTHY;
        return !unhealthy ? Optional.of(USUAL) : zone.size() > LARGE ? Optional.of(SLOW) : Optional.empty();
    }
}
