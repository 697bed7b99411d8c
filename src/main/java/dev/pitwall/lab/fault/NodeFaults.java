package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.LabNode;

import java.util.Map;

/** Faults inside the node that the cluster shows and a shell on the node sees too: driver and container runtime. */
final class NodeFaults {
    private NodeFaults() {
    }

    static Map<String, FaultEffect> all() {
        return Map.of(
                "waiting-driver-compiling", FaultEffect.onNode(scope -> driver(scope, "compiling")),
                "driver-oom-while-compiling", FaultEffect.onNode(scope -> driver(scope, "failed")),
                "driver-image-not-published-for-os", FaultEffect.onNode(scope -> driver(scope, "absent")),
                "containerd-socket-wrong-path", FaultEffect.onNode(NodeFaults::runtimeUnknown),
                "runtime-handler-not-configured", FaultEffect.onNode(NodeFaults::runtimeUnknown));
    }

    private static void driver(FaultScope scope, String state) {
        LabNode node = scope.node().orElseThrow();
        scope.set(() -> node.driver, driver -> node.driver = driver, state);
        scope.set(() -> node.driverSince, since -> node.driverSince = since, scope.world().clock().instant());
        runtimeUnknown(scope);
    }

    private static void runtimeUnknown(FaultScope scope) {
        LabNode node = scope.node().orElseThrow();
        scope.set(() -> node.toolkitReady, ready -> node.toolkitReady = ready, false);
    }
}
