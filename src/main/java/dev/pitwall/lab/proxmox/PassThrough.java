package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The PCI devices of a VM that starts: which functions its {@code hostpciN} name, that nobody else has them, and that they
 * are on vfio-pci. [facts: proxmox.md 1.8; qemu-server PCI.pm, pve-common SysFSTools.pm]
 */
final class PassThrough {
    private static final String VFIO = "vfio-pci";
    private static final String BRIDGE_CLASS = "06";
    private static final int MOST = 16;

    /** Functions of VMs that are about to start: VM by {@code host/address}. */
    private final Map<String, Integer> reserved = new ConcurrentHashMap<>();

    /**
     * One {@code hostpciN} of a VM.
     *
     * @param keepsDriver Proxmox neither binds nor resets it ({@code driver=keep})
     */
    record Device(String key, List<LabPci> functions, boolean pcie, boolean keepsDriver) {
    }

    /**
     * Reads a configuration's devices and reserves them for the VM.
     *
     * @throws PveError with the text that stops the start
     */
    List<Device> claim(World world, LabVm vm) throws PveError {
        Map<String, List<List<LabPci>>> choices = new LinkedHashMap<>();
        for (int n = 0; n < MOST; n++) {
            String value = vm.config.get("hostpci" + n);
            if (value != null) {
                choices.put("hostpci" + n, choices(world, vm, PropertyString.read(value, "host")));
            }
        }
        List<Device> devices = choose(world, vm, choices);
        boolean q35 = vm.config.getOrDefault("machine", "").contains("q35");
        if (!q35 && devices.stream().anyMatch(Device::pcie)) {
            throw PveError.died("q35 machine model is not enabled");
        }
        for (Device device : devices) {
            for (LabPci function : device.functions) {
                refuseTaken(world, vm, function);
            }
        }
        devices.forEach(device -> device.functions.forEach(function ->
                reserved.put(vm.host + "/" + function.address, vm.vmid)));
        return devices;
    }

    /** The VM runs, or does not: its start no longer keeps others away. */
    void release(int vmid) {
        reserved.values().removeIf(owner -> owner == vmid);
    }

    /**
     * Takes the functions, and all that share their IOMMU groups, from the host's drivers.
     *
     * @return lines for the task's log
     */
    List<String> bind(LabHost host, List<Device> devices) throws PveError {
        List<String> lines = new ArrayList<>();
        for (Device device : devices) {
            for (LabPci function : device.functions) {
                if (!host.iommuActive) {
                    throw PveError.died("cannot prepare PCI pass-through, IOMMU not present");
                }
                if (device.keepsDriver) {
                    continue;
                }
                if (function.iommuGroup < 0) {
                    throw PveError.died("Cannot open iommu_group: No such file or directory");
                }
                host.pci.stream().filter(other -> other.iommuGroup == function.iommuGroup)
                        .filter(other -> !other.classCode.startsWith(BRIDGE_CLASS)).forEach(other -> other.driver = VFIO);
                reset(host, function, lines);
            }
        }
        return lines;
    }

    /** Addresses of the functions a VM that runs was given. */
    static Set<String> held(World world, LabVm vm) {
        if (vm.status.equals("stopped")) {
            return Set.of();
        }
        LabHost host = world.hosts.get(vm.host);
        return vm.running.entrySet().stream().filter(entry -> entry.getKey().startsWith("hostpci"))
                .flatMap(entry -> Optional.ofNullable(vm.passed.get(entry.getKey())).map(List::stream)
                        .orElseGet(() -> Wiring.addresses(world, vm.host, entry.getValue())))
                .flatMap(address -> functions(host, address).stream()).map(function -> function.address)
                .collect(Collectors.toSet());
    }

    /** The functions an address stands for: one, or all of its slot. */
    static List<LabPci> functions(LabHost host, String address) {
        String full = address.indexOf(':') == 2 ? "0000:" + address : address;
        return host.pci.stream().filter(function -> function.address.equals(full)
                || !full.contains(".") && function.address.startsWith(full + ".")).toList();
    }

    static Set<Integer> groups(List<Device> devices) {
        return devices.stream().flatMap(device -> device.functions.stream()).map(function -> function.iommuGroup)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static List<List<LabPci>> choices(World world, LabVm vm, PropertyString value) throws PveError {
        LabHost host = world.hosts.get(vm.host);
        Optional<String> mapping = value.get("mapping");
        if (mapping.isPresent() == value.get("host").isPresent()) {
            throw PveError.died("either 'host' or 'mapping' must be set.");
        }
        if (mapping.isEmpty()) {
            return List.of(functions(host, value.get("host").get().split(";")));
        }
        List<String> entries = world.pciMappings.getOrDefault(mapping.get(), List.of());
        List<String> here = entries.stream().filter(entry -> Wiring.property(entry, "node").filter(vm.host::equals)
                .isPresent()).toList();
        if (here.isEmpty()) {
            throw PveError.died("PCI device mapping not found for '" + mapping.get() + "'");
        }
        MappingCheck check = new MappingCheck(world, mapping.get(), entries);
        List<List<LabPci>> choices = new ArrayList<>();
        for (String entry : here) {
            Optional<String> problem = check.problem(vm.host, entry);
            if (problem.isPresent()) {
                throw PveError.died("PCI device mapping invalid (hardware probably changed): " + problem.get());
            }
            choices.add(functions(host, Wiring.property(entry, "path").orElse("").split(";")));
        }
        return choices;
    }

    private static List<LabPci> functions(LabHost host, String[] addresses) throws PveError {
        List<LabPci> all = new ArrayList<>();
        for (String address : addresses) {
            List<LabPci> found = functions(host, address);
            if (found.isEmpty()) {
                throw PveError.died("no PCI device found for '" + address + "'");
            }
            all.addAll(found);
        }
        return all;
    }

    /** Where a mapping leaves a choice the first device counts that is free. */
    private List<Device> choose(World world, LabVm vm, Map<String, List<List<LabPci>>> choices) throws PveError {
        Set<String> used = new HashSet<>();
        List<Device> devices = new ArrayList<>();
        for (Map.Entry<String, List<List<LabPci>>> entry : choices.entrySet()) {
            List<List<LabPci>> alternatives = entry.getValue();
            List<LabPci> chosen = alternatives.size() == 1 ? alternatives.getFirst() : alternatives.stream()
                    .filter(one -> one.stream().noneMatch(function -> used.contains(function.address)
                            || owner(world, vm, function).isPresent()))
                    .findFirst().orElseThrow(() -> PveError.died("could not find a free device for '" + entry.getKey() + "'"));
            for (LabPci function : chosen) {
                if (!used.add(function.address)) {
                    throw PveError.died("device '" + function.address + "' assigned more than once");
                }
            }
            PropertyString value = PropertyString.read(vm.config.get(entry.getKey()), "host");
            devices.add(new Device(entry.getKey(), chosen, value.isOn("pcie"),
                    value.get("driver").filter("keep"::equals).isPresent()));
        }
        return devices;
    }

    private void refuseTaken(World world, LabVm vm, LabPci function) throws PveError {
        Optional<Integer> starting = Optional.ofNullable(reserved.get(vm.host + "/" + function.address))
                .filter(owner -> owner != vm.vmid);
        if (starting.isPresent()) {
            throw PveError.died("PCI device '" + function.address + "' is currently reserved for use by VMID '"
                    + starting.get() + "'");
        }
        Optional<Integer> owner = owner(world, vm, function);
        if (owner.isPresent()) {
            throw PveError.died("PCI device '" + function.address + "' already in use by VMID '" + owner.get() + "'");
        }
    }

    private Optional<Integer> owner(World world, LabVm vm, LabPci function) {
        Stream<Integer> running = world.vms.values().stream()
                .filter(other -> other != vm && other.host.equals(vm.host) && held(world, other).contains(function.address))
                .map(other -> other.vmid);
        Stream<Integer> starting = Stream.ofNullable(reserved.get(vm.host + "/" + function.address))
                .filter(other -> other != vm.vmid);
        return Stream.concat(running, starting).findFirst();
    }

    /**
     * Writes 1 to the function's {@code reset}, where it has one. A bus reset of one function is refused while others share
     * the bus; since qemu-server 8.2.6 that only warns. [facts: proxmox.md 1.8, 2.5]
     */
    private static void reset(LabHost host, LabPci function, List<String> lines) throws PveError {
        List<String> methods = Arrays.stream(function.resetMethods.split(" ")).filter(method -> !method.isEmpty()).toList();
        String slot = function.address.substring(0, function.address.indexOf('.'));
        boolean alone = functions(host, slot).size() == 1;
        if (methods.isEmpty() || methods.stream().anyMatch(method -> !method.equals("bus") || alone)) {
            return;
        }
        lines.add("error writing '1' to '/sys/bus/pci/devices/" + function.address
                + "/reset': Inappropriate ioctl for device");
        if (!PveVersion.of(host).atLeast(8, 3)) {
            throw PveError.died("can't reset PCI device '" + function.address + "'");
        }
        lines.add("failed to reset PCI device '" + function.address
                + "', but trying to continue as not all devices need a reset");
    }
}
