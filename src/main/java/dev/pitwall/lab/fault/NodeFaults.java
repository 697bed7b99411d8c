package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabSystem;

import java.util.List;
import java.util.Map;

/** Faults inside the node whose world part has to be computed. */
final class NodeFaults {
    private static final String NOUVEAU = "nouveau";

    private NodeFaults() {
    }

    static Map<String, FaultEffect> all() {
        return Map.of("nouveau-loaded", FaultEffect.of(NodeFaults::nouveau));
    }

    /** nouveau was there first, so NVIDIA's module finds no card that is free. (facts: cluster.md 1.9) */
    private static void nouveau(FaultScope scope) {
        LabNode node = scope.node().orElseThrow();
        LabSystem system = scope.world().system(node.name).orElse(node.system);
        List<LabPci> cards = scope.host().pci.stream()
                .filter(pci -> pci.vendorId.equals("10de") && pci.classCode.startsWith("03")).toList();
        cards.forEach(pci -> scope.set(pci, "driver", () -> pci.driver, is -> pci.driver = is, NOUVEAU));
        String version = node.driverVersion;
        scope.driver(node, () -> GuestDriver.fail(scope.world(), node, version, GuestDriver.Source.HOST, scope.now()));
        cards.forEach(pci -> say(scope, system, "NVRM: GPU " + pci.address + " is already bound to nouveau."));
        say(scope, system, "NVRM: The NVIDIA probe routine was not called for " + cards.size() + " device(s).");
        say(scope, system, "NVRM: No NVIDIA devices probed.");
    }

    private static void say(FaultScope scope, LabSystem system, String line) {
        scope.append(system.kernelLines, new LabSystem.KernelLine(scope.now(), line));
    }
}
