package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Faults of the VM floor: machine type, pending changes, mappings, two VMs for one card. */
final class VmFaults {
    private static final String MAPPING = "gpu-incomplete";

    private VmFaults() {
    }

    static Map<String, FaultEffect> all() {
        return Map.of(
                "vm-change-pending-power-cycle", FaultEffect.of(VmFaults::pending),
                "vm-machine-not-q35", FaultEffect.of(VmFaults::notQ35),
                "gpu-owned-by-other-vm", FaultEffect.of(VmFaults::ownedByOther),
                "pci-mapping-incomplete", FaultEffect.of(VmFaults::mappingIncomplete),
                "multifunction-device-split", FaultEffect.of(VmFaults::split));
    }

    private static void pending(FaultScope scope) {
        LabVm vm = scope.vm().orElseThrow();
        scope.remove(vm.running, key(scope, vm));
        scope.remove(vm.running, "machine");
        driverGone(scope);
    }

    private static void notQ35(FaultScope scope) {
        LabVm vm = scope.vm().orElseThrow();
        scope.stop(vm);
        scope.remove(vm.config, "machine");
    }

    private static void ownedByOther(FaultScope scope) {
        LabVm worker = scope.vm().orElseThrow();
        String device = worker.config.get(key(scope, worker));
        scope.stop(worker);
        int vmid = IntStream.iterate(210, id -> id + 1).filter(id -> !scope.world().vms.containsKey(id)).findFirst()
                .orElseThrow();
        LabVm windows = new LabVm(vmid, worker.host);
        windows.config.putAll(Map.ofEntries(Map.entry("name", "win11-studio"), Map.entry("ostype", "win11"),
                Map.entry("machine", "pc-q35-9.2"), Map.entry("bios", "ovmf"), Map.entry("cores", "8"),
                Map.entry("memory", "16384"), Map.entry("cpu", "host"), Map.entry("agent", "1"),
                Map.entry("efidisk0", "local-lvm:vm-" + vmid + "-disk-0,efitype=4m,pre-enrolled-keys=1,size=4M"),
                Map.entry("scsi0", "local-lvm:vm-" + vmid + "-disk-1,iothread=1,size=256G"),
                Map.entry("smbios1", "uuid=3c1f6a52-9d07-4e1b-8a45-" + String.format("%012x", vmid)),
                Map.entry("hostpci0", device)));
        windows.running.putAll(windows.config);
        windows.status = "running";
        windows.startedAt = scope.now();
        scope.put(scope.world().vms, vmid, windows);
    }

    private static void mappingIncomplete(FaultScope scope) {
        LabVm vm = scope.vm().orElseThrow();
        LabPci function = scope.functions().getFirst();
        String entry = "id=" + function.vendorId + ":" + function.deviceId + ",node=" + vm.host + ",path="
                + scope.card().slot;
        scope.put(scope.world().pciMappings, MAPPING, Stream.concat(
                scope.world().pciMappings.getOrDefault(MAPPING, List.of()).stream(), Stream.of(entry)).toList());
        scope.put(vm.config, key(scope, vm), "mapping=" + MAPPING + ",pcie=1");
        scope.stop(vm);
    }

    private static void split(FaultScope scope) {
        LabVm vm = scope.vm().orElseThrow();
        String key = key(scope, vm);
        String onlyFirst = scope.card().slot + ".0,pcie=1";
        scope.put(vm.config, key, onlyFirst);
        if (vm.running.containsKey(key)) {
            scope.put(vm.running, key, onlyFirst);
        }
    }

    /** A guest without the device has nothing for its driver to do. */
    private static void driverGone(FaultScope scope) {
        scope.node().ifPresent(node -> scope.driver(node,
                () -> GuestDriver.unload(scope.world(), node, scope.now())));
    }

    /** The {@code hostpciN} that names the card. */
    private static String key(FaultScope scope, LabVm vm) {
        return vm.config.keySet().stream().filter(key -> key.startsWith("hostpci"))
                .filter(key -> Wiring.held(scope.world(), vm, Map.of("hostpci0",
                        vm.config.get(key))).contains(scope.card())).findFirst().orElse("hostpci0");
    }
}
