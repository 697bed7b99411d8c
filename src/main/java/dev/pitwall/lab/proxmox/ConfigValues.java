package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Values of a VM's options: how they are stored, which contradict each other, which a running VM takes at once.
 * [facts: proxmox.md 1.7; qemu-server vmconfig_hotplug_pending]
 */
final class ConfigValues {
    private static final String USUAL_HOTPLUG = "network,disk,usb";

    private final ConfigOptions options;

    ConfigValues(ConfigOptions options) {
        this.options = options;
    }

    /**
     * Drives get their disk, network cards their address; all else is stored as it was sent.
     *
     * @param alsoSet options that the same call sets
     */
    String stored(World world, LabVm vm, String name, String value, Set<String> alsoSet) throws PveError {
        if (options.isDrive(name)) {
            return Volumes.isAllocation(value) ? Volumes.allocate(world, vm, vm.config, name, value)
                    : existing(world, vm, name, value);
        }
        return switch (options.stem(name)) {
            case "net" -> withAddress(world, value);
            case "tags" -> Arrays.stream(value.toLowerCase().split("[;, ]+")).filter(tag -> !tag.isEmpty()).distinct()
                    .sorted().collect(Collectors.joining(";"));
            case "boot" -> boot(vm, value, alsoSet);
            default -> value;
        };
    }

    void refuseMismatch(LabVm vm, ConfigChange change) throws PveError {
        if (!change.set().containsKey("memory") && !change.set().containsKey("balloon")) {
            return;
        }
        long memory = Vms.memory(change.set().containsKey("memory") ? change.set() : vm.config);
        long balloon = Long.parseLong(change.set().getOrDefault("balloon", vm.config.getOrDefault("balloon", "0")));
        if (balloon > memory) {
            throw PveError.died("balloon value too large (must be smaller than assigned memory)");
        }
    }

    void refuseProtected(LabVm vm, String name, String value) throws PveError {
        if ("1".equals(vm.config.get("protection"))) {
            if (options.stem(name).equals("unused")) {
                throw PveError.died("can't remove unused disk '" + Volumes.file(value) + "' - protection mode enabled");
            }
            if (options.isDrive(name)) {
                throw PveError.died("can't remove drive '" + name + "' - protection mode enabled");
            }
        }
    }

    /** @param value the new value; empty if the option goes */
    boolean isTakenAtOnce(LabVm vm, String name, Optional<String> value) {
        if (options.isFastPlug(name) || options.stem(name).equals("unused")) {
            return true;
        }
        if (name.equals("balloon")) {
            return isOn(Optional.ofNullable(vm.running.get(name))) && isOn(value);
        }
        String features = vm.running.getOrDefault("hotplug", USUAL_HOTPLUG).replaceFirst("^1$", USUAL_HOTPLUG);
        return options.hotPlugFeature(name).filter(feature -> List.of(features.split("[,; ]+")).contains(feature)).isPresent();
    }

    /** A balloon device is there unless the option is 0. */
    private static boolean isOn(Optional<String> balloon) {
        return !balloon.orElse("1").equals("0");
    }

    private static String existing(World world, LabVm vm, String name, String value) throws PveError {
        Optional<String> storage = Volumes.storage(value);
        String file = Volumes.file(value);
        if (storage.isEmpty()) {
            if (file.equals("none") || file.equals("cdrom")) {
                return value;
            }
            throw PveError.notInTheLab("give a VM a device or file of its host as a disk");
        }
        Volumes.need(world, storage.get());
        boolean known = Volumes.drives(vm).containsKey(file) || value.contains("media=cdrom");
        if (!known) {
            throw PveError.died("volume '" + file + "' does not exist");
        }
        String size = Optional.ofNullable(Volumes.drives(vm).get(file))
                .flatMap(old -> PropertyString.read(old, "file").get("size")).orElse("");
        PropertyString drive = PropertyString.read(value, "file");
        vm.config.entrySet().removeIf(entry -> entry.getKey().startsWith("unused") && entry.getValue().equals(file));
        return (drive.get("size").isPresent() || size.isEmpty() ? drive : drive.with("size", size)).sorted("file");
    }

    /** {@code virtio,bridge=vmbr0} gets an address from Proxmox's own range. */
    private static String withAddress(World world, String value) {
        PropertyString net = PropertyString.read(value, "model");
        Optional<String> model = net.get("model").filter(name -> net.get("macaddr").isEmpty() && !name.contains(":"));
        if (model.isEmpty()) {
            return value;
        }
        int random = world.random().nextInt(1 << 24);
        String address = String.format("BC:24:11:%02X:%02X:%02X", random >> 16 & 0xff, random >> 8 & 0xff, random & 0xff);
        return net.without("model").with(model.get(), address).sorted(model.get()).replaceFirst("^", model.get() + "=");
    }

    private static String boot(LabVm vm, String value, Set<String> alsoSet) throws PveError {
        Set<String> there = new TreeSet<>(vm.config.keySet());
        there.addAll(alsoSet);
        for (String device : PropertyString.read(value, "legacy").get("order").map(order -> order.split(";"))
                .orElse(new String[0])) {
            if (!device.isEmpty() && !there.contains(device)) {
                throw PveError.died("invalid bootorder: device '" + device + "' does not exist'");
            }
        }
        return value;
    }

    /** The values of a configuration as the API returns them: some are numbers. */
    Map<String, Object> typed(Map<String, String> config) {
        Map<String, Object> typed = new TreeMap<>();
        config.forEach((key, value) -> typed.put(key, typed(key, value)));
        return typed;
    }

    Object typed(String key, String value) {
        return options.isInteger(key) && value.matches("-?\\d{1,9}") ? (Object) Integer.valueOf(value) : value;
    }
}
