package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.ContainerRuntime;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabVm;

import java.util.List;
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
                "secure-boot-rejects-module", new FaultEffect(scope -> scope.vm().isPresent()
                        && scope.node().isPresent(), NodeFaults::secureBoot),
                "containerd-socket-wrong-path", FaultEffect.onNode(NodeFaults::runtimeUnknown),
                "runtime-handler-not-configured", FaultEffect.onNode(NodeFaults::runtimeUnknown));
    }

    private static void driver(FaultScope scope, String state) {
        LabNode node = scope.node().orElseThrow();
        scope.set(() -> node.driver, driver -> node.driver = driver, state);
        scope.set(() -> node.driverSince, since -> node.driverSince = since, scope.world().clock().instant());
        runtimeUnknown(scope);
    }

    /** OVMF with enrolled keys runs Secure Boot, and the module the operator builds is not signed. [facts: proxmox.md 1.9] */
    private static void secureBoot(FaultScope scope) {
        LabVm vm = scope.vm().orElseThrow();
        String disk = "local-lvm:vm-" + vm.vmid + "-disk-1,efitype=4m,pre-enrolled-keys=1,size=4M";
        List.of(vm.config, vm.running).stream().filter(config -> !config.isEmpty()).forEach(config -> {
            scope.put(config, "bios", "ovmf");
            scope.put(config, "efidisk0", disk);
        });
        driver(scope, "failed");
    }

    private static void runtimeUnknown(FaultScope scope) {
        LabNode node = scope.node().orElseThrow();
        scope.set(() -> ContainerRuntime.isConfigured(node), known -> ContainerRuntime.decide(node, known), false);
    }
}
