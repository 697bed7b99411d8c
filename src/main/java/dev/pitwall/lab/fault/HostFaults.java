package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Faults of the host: firmware, IOMMU, VFIO, the card itself. */
final class HostFaults {
    private static final String NETWORK_CLASS = "0200";
    private static final String VFIO = "vfio-pci";

    private HostFaults() {
    }

    static Map<String, FaultEffect> all() {
        return Map.of(
                "virtualization-extensions-off", FaultEffect.of(HostFaults::virtualizationOff),
                "iommu-off", FaultEffect.of(HostFaults::iommuOff),
                "above-4g-rebar-off", FaultEffect.of(HostFaults::above4gOff),
                "host-driver-holds-passthrough-gpu", FaultEffect.of(HostFaults::hostDriverHolds),
                "boot-framebuffer-holds-bar", FaultEffect.of(HostFaults::framebufferHolds),
                "iommu-group-not-viable", new FaultEffect(scope -> neighbour(scope).isPresent(),
                        HostFaults::groupNotViable),
                "gpu-stuck-d3", FaultEffect.of(HostFaults::stuckInD3),
                "gpu-lost-off-bus", FaultEffect.of(HostFaults::lost),
                "host-silent", FaultEffect.of(HostFaults::silent));
    }

    private static void virtualizationOff(FaultScope scope) {
        LabHost host = scope.host();
        scope.set(host, "virtualization", () -> host.virtualization, is -> host.virtualization = is, false);
        vmsOf(scope).forEach(scope::stop);
    }

    private static void iommuOff(FaultScope scope) {
        LabHost host = scope.host();
        scope.set(host, "iommuInFirmware", () -> host.iommuInFirmware, is -> host.iommuInFirmware = is, false);
        scope.set(host, "iommuActive", () -> host.iommuActive, is -> host.iommuActive = is, false);
        host.pci.forEach(function -> scope.set(function, "iommuGroup", () -> function.iommuGroup, group -> function.iommuGroup = group, -1));
        vmsOf(scope).filter(vm -> vm.config.keySet().stream().anyMatch(key -> key.startsWith("hostpci")))
                .forEach(scope::stop);
        atBootDrivers(scope);
    }

    private static void above4gOff(FaultScope scope) {
        LabHost host = scope.host();
        scope.set(host, "above4g", () -> host.above4g, is -> host.above4g = is, false);
        LabPci gpu = scope.functions().getFirst();
        List<String> lines = gpu.barLines.stream().flatMap(line -> line.contains("64bit pref")
                ? Stream.of(line, withoutPlace(line) + ": can't assign; no space", withoutPlace(line)
                + ": failed to assign") : Stream.of(line)).toList();
        scope.replace(gpu.barLines, lines);
        scope.vm().ifPresent(scope::stop);
    }

    /** {@code BAR 1 [mem 0x6000000000-0x61ffffffff 64bit pref]} as the kernel writes it when it has no place. */
    private static String withoutPlace(String line) {
        String[] range = line.replaceFirst("^.*\\[mem 0x", "").replaceFirst(" .*$", "").split("-0x");
        long size = Long.parseLong(range[1], 16) - Long.parseLong(range[0], 16) + 1;
        return line.replaceFirst("\\[mem 0x[0-9a-f]+-0x[0-9a-f]+", "[mem size 0x" + String.format("%08x", size));
    }

    private static void hostDriverHolds(FaultScope scope) {
        Map<String, byte[]> files = scope.host().files;
        List.copyOf(files.keySet()).stream().filter(path -> path.startsWith("/etc/modprobe.d/"))
                .forEach(path -> scope.remove(files, path));
        // The images were built without them too, so that a boot changes nothing.
        Map<String, Map<String, byte[]>> images = scope.host().system.images;
        List.copyOf(images.keySet()).forEach(kernel -> scope.put(images, kernel, images.get(kernel).entrySet().stream()
                .filter(file -> !file.getKey().startsWith("/etc/modprobe.d/"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
        atBootDrivers(scope);
        scope.vm().ifPresent(scope::stop);
    }

    private static void framebufferHolds(FaultScope scope) {
        LabPci gpu = scope.functions().getFirst();
        scope.host().pci.stream().filter(function -> function.bootVga)
                .forEach(other -> scope.set(other, "bootVga", () -> other.bootVga, is -> other.bootVga = is, false));
        scope.set(gpu, "bootVga", () -> gpu.bootVga, is -> gpu.bootVga = is, true);
        String bar = gpu.barLines.stream().filter(line -> line.startsWith("BAR 1 ")).findFirst().orElse("BAR 1 [mem]");
        log(scope, VFIO + " " + gpu.address + ": BAR 1: can't reserve " + bar.substring(6));
    }

    private static void groupNotViable(FaultScope scope) {
        int group = scope.functions().getFirst().iommuGroup;
        LabPci network = neighbour(scope).orElseThrow();
        scope.host().pci.stream().filter(function -> function.iommuGroup == network.iommuGroup)
                .forEach(function -> {
                    scope.set(function, "iommuGroup", () -> function.iommuGroup, to -> function.iommuGroup = to, group);
                    scope.set(function, "wiredGroup", () -> function.wiredGroup, to -> function.wiredGroup = to, group);
                });
        scope.vm().ifPresent(scope::stop);
    }

    private static void stuckInD3(FaultScope scope) {
        scope.functions().forEach(function -> {
            scope.set(function, "powerState", () -> function.powerState, state -> function.powerState = state, "D3cold");
            scope.set(function, "revision", () -> function.revision, revision -> function.revision = revision, "ff");
            log(scope, VFIO + " " + function.address
                    + ": Unable to change power state from D3cold to D0, device inaccessible");
        });
        log(scope, VFIO + " " + scope.functions().getFirst().address + ": not ready 65535ms after bus reset; giving up");
        scope.vm().ifPresent(scope::stop);
    }

    private static void lost(FaultScope scope) {
        scope.set(scope.card(), "lost", () -> scope.card().lost, is -> scope.card().lost = is, true);
        scope.set(scope.card(), "lastXid", () -> scope.card().lastXid, xid -> scope.card().lastXid = xid, 79);
        scope.functions().forEach(function -> scope.set(function, "revision", () -> function.revision,
                revision -> function.revision = revision, "ff"));
    }

    private static void silent(FaultScope scope) {
        LabHost host = scope.host();
        scope.set(host, "silent", () -> host.silent, is -> host.silent = is, true);
    }

    /**
     * Without vfio-pci, which does not take a function that has no IOMMU group, each goes to the driver that takes it
     * at boot, unless that is on a blacklist.
     */
    private static void atBootDrivers(FaultScope scope) {
        if (scope.host().proxmox) {
            scope.functions().forEach(function -> scope.set(function, "driver", () -> function.driver,
                    driver -> function.driver = driver,
                    blacklisted(scope.host(), function.defaultDriver) ? "" : function.defaultDriver));
        }
    }

    private static boolean blacklisted(LabHost host, String driver) {
        return host.files.entrySet().stream().filter(file -> file.getKey().startsWith("/etc/modprobe.d/"))
                .flatMap(file -> new String(file.getValue(), StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.strip().equals("blacklist " + driver));
    }

    private static Optional<LabPci> neighbour(FaultScope scope) {
        return scope.host().pci.stream().filter(function -> function.classCode.startsWith(NETWORK_CLASS))
                .filter(function -> function.iommuGroup != scope.functions().getFirst().iommuGroup).findFirst();
    }

    private static Stream<LabVm> vmsOf(FaultScope scope) {
        return scope.world().vms.values().stream().filter(vm -> vm.host.equals(scope.card().host));
    }

    private static void log(FaultScope scope, String line) {
        scope.append(scope.host().kernelLog, line);
    }
}
