package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What QEMU itself says to the devices it is given: some lines are a warning, some end it.
 * [facts: proxmox.md 5.3; error texts]
 */
final class QemuStart {
    private static final String FAILED = "start failed: QEMU exited with code 1";
    private static final String GONE = "ff";

    /**
     * Lines of QEMU, and how its start failed, if it did.
     *
     * @param failure the task's last words
     */
    record Outcome(List<String> lines, Optional<String> failure) {
    }

    private QemuStart() {
    }

    /** Call inside a world lock. */
    static Outcome of(World world, LabVm vm, List<PassThrough.Device> devices) {
        LabHost host = world.hosts.get(vm.host);
        List<String> lines = new ArrayList<>();
        if (!devices.isEmpty() && Vms.memory(vm.config) << 20 > host.memoryBytes - NodeCalls.memoryUsed(world, host)) {
            lines.add("kvm: cannot set up guest memory 'pc.ram': Cannot allocate memory");
            return new Outcome(lines, Optional.of(FAILED));
        }
        Set<Integer> groups = PassThrough.groups(devices);
        for (PassThrough.Device device : devices) {
            for (LabPci function : device.functions()) {
                Optional<LabPci> held = host.pci.stream().filter(other -> other.iommuGroup == function.iommuGroup)
                        .filter(other -> !other.classCode.startsWith("06") && !other.driver.isEmpty()
                                && !other.driver.equals("vfio-pci")).findFirst();
                if (held.isPresent()) {
                    lines.add("kvm: -device vfio-pci,host=" + function.address + ",id=" + device.key() + ": vfio "
                            + function.address + ": group " + function.iommuGroup + " is not viable");
                    lines.add("Please ensure all devices within the iommu_group are bound to their vfio bus driver.");
                    return new Outcome(lines, Optional.of(FAILED));
                }
                if (isDead(function, lines)) {
                    return new Outcome(lines, Optional.of(FAILED));
                }
                function.powerState = "D0";
                framebuffer(host, function, lines);
                notOwned(host, function, groups, lines);
            }
        }
        return new Outcome(lines, Optional.empty());
    }

    private static boolean isDead(LabPci function, List<String> lines) {
        boolean stuck = function.powerState.equals("D3cold");
        boolean gone = function.revision.equals(GONE);
        if (stuck) {
            lines.add("kvm: vfio: Unable to power on device, stuck in D3");
        }
        if (gone) {
            lines.add("kvm: ../hw/pci/pci.c: pci_irq_handler: Assertion `0 <= irq_num && irq_num < PCI_NUM_PINS' failed.");
        }
        return stuck || gone;
    }

    private static void framebuffer(LabHost host, LabPci function, List<String> lines) {
        host.kernelLog.stream().filter(line -> line.contains(function.address + ": BAR ") && line.contains("can't reserve"))
                .map(line -> line.replaceFirst("^.*: BAR (\\d+):.*$", "$1")).distinct().forEach(bar ->
                        lines.add("kvm: vfio_region_mmap: Failed to mmap " + function.address + " BAR " + bar
                                + ". Performance may be slow"));
    }

    /** The reset of the slot needs all of its functions. */
    private static void notOwned(LabHost host, LabPci function, Set<Integer> groups, List<String> lines) {
        String slot = function.address.substring(0, function.address.indexOf('.'));
        PassThrough.functions(host, slot).stream().filter(other -> !groups.contains(other.iommuGroup))
                .map(other -> "kvm: vfio: Cannot reset device " + function.address + ", depends on group "
                        + other.iommuGroup + " which is not owned.").forEach(lines::add);
    }
}
