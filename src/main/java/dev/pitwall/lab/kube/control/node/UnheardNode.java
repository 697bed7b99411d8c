package dev.pitwall.lab.kube.control.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.object.Conditions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What the node controller writes of a node that is not heard of. [kubernetes: node_lifecycle_controller.go] */
public final class UnheardNode {
    /** {@code --node-monitor-grace-period}: 50 s since 1.32, 40 s before; every cluster of the lab is newer. */
    public static final Duration PATIENCE = Duration.ofSeconds(50);
    /** Who says so in events. */
    public static final Source SOURCE = Source.of("node-controller");
    private static final List<String> POSTED = List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

    private UnheardNode() {
    }

    /** Makes the conditions unknown that a kubelet posts. */
    public static void write(ObjectNode node, Instant now) {
        POSTED.forEach(type -> unknown(node, type, now));
    }

    private static void unknown(ObjectNode node, String type, Instant now) {
        boolean never = Conditions.find(node, type).isMissingNode();
        ObjectNode condition = Conditions.set(node, new Conditions.Condition(type, "Unknown",
                never ? "NodeStatusNeverUpdated" : "NodeStatusUnknown",
                never ? "Kubelet never posted node status." : "Kubelet stopped posting node status."), now);
        if (never) {
            condition.put("lastHeartbeatTime", node.at("/metadata/creationTimestamp").asText());
        }
    }
}
