package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabStorage;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Disks of VMs on the hosts' storages. A disk is there because a configuration, or one of its snapshots, names it.
 * Call all of it inside a world lock.
 */
final class Volumes {
    private static final Pattern ALLOCATION = Pattern.compile("([A-Za-z][A-Za-z0-9\\-_.]*):(\\d+(?:\\.\\d+)?)");
    private static final Pattern VOLUME = Pattern.compile("([A-Za-z][A-Za-z0-9\\-_.]*):(.+)");
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)([KMGT]?)");
    private static final String UNITS = " KMGT";

    /** A disk: its drive's value, and whose it is. */
    record Disk(String volume, int vmid, long bytes) {
    }

    private Volumes() {
    }

    /** The storage a drive's value names; empty for {@code none} and for a device of the host. */
    static Optional<String> storage(String drive) {
        Matcher matcher = VOLUME.matcher(file(drive));
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    static String file(String drive) {
        return PropertyString.read(drive, "file").get("file").orElse("");
    }

    /** {@code local-lvm:8} asks for a new disk of 8 GiB; {@code local-lvm:vm-100-disk-0} names one. */
    static boolean isAllocation(String drive) {
        return ALLOCATION.matcher(file(drive)).matches();
    }

    /**
     * A drive's value with a new disk in place of what asked for one.
     *
     * @param option for example {@code efidisk0}, which is always small
     */
    static String allocate(World world, LabVm vm, Map<String, String> alsoTaken, String option, String drive)
            throws PveError {
        Matcher matcher = ALLOCATION.matcher(file(drive));
        if (!matcher.matches()) {
            throw PveError.died("unable to parse drive options for '" + option + "'");
        }
        LabStorage storage = need(world, matcher.group(1));
        if (!storage.content().contains("images")) {
            throw PveError.died("storage '" + storage.name() + "' does not support vm images");
        }
        PropertyString options = PropertyString.read(drive, "file");
        String size = switch (option) {
            // The number is ignored for both. [facts: proxmox.md 1.9]
            case "efidisk0" -> options.get("efitype").filter("4m"::equals).isPresent() ? "4M" : "528K";
            case "tpmstate0" -> "4M";
            default -> matcher.group(2) + "G";
        };
        return options.with("file", storage.name() + ":" + name(storage, vm, alsoTaken)).with("size", size)
                .without("import-from").sorted("file");
    }

    static LabStorage need(World world, String name) throws PveError {
        return Optional.ofNullable(world.storages.get(name))
                .orElseThrow(() -> PveError.died("storage '" + name + "' does not exist"));
    }

    /** Disks on a storage, as a host sees it. */
    static List<Disk> on(World world, String host, LabStorage storage) {
        List<Disk> disks = new ArrayList<>();
        world.vms.values().stream().filter(vm -> storage.shared() || vm.host.equals(host)).forEach(vm ->
                drives(vm).forEach((volume, drive) -> {
                    if (volume.startsWith(storage.name() + ":")) {
                        disks.add(new Disk(volume, vm.vmid, bytes(drive)));
                    }
                }));
        return disks;
    }

    static long bytes(String drive) {
        return PropertyString.read(drive, "file").get("size").map(Volumes::parse).orElse(0L);
    }

    /** {@code 160G} in bytes. */
    static long parse(String size) {
        Matcher matcher = SIZE.matcher(size);
        return matcher.matches() ? Math.round(Double.parseDouble(matcher.group(1))
                * Math.pow(1024, matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(matcher.group(2)))) : 0;
    }

    /** Bytes as Proxmox writes them: the largest unit that needs no fraction. */
    static String print(long bytes) {
        long value = bytes;
        int unit = 0;
        while (unit < UNITS.length() - 1 && value > 0 && value % 1024 == 0) {
            value /= 1024;
            unit++;
        }
        return value + (unit == 0 ? "" : String.valueOf(UNITS.charAt(unit)));
    }

    static double gib(Map<String, String> config) {
        return config.entrySet().stream().filter(entry -> entry.getKey().matches("(scsi|virtio|sata|ide)\\d+"))
                .mapToLong(entry -> bytes(entry.getValue())).sum() / (double) (1L << 30);
    }

    /** Drives with a disk of their own, by volume. */
    static Map<String, String> drives(LabVm vm) {
        Map<String, String> drives = new LinkedHashMap<>();
        List<Map<String, String>> configs = new ArrayList<>(List.of(vm.config, vm.running));
        vm.snapshots.values().forEach(snapshot -> configs.add(snapshot.config()));
        configs.forEach(config -> config.forEach((key, value) -> {
            if (key.matches("(scsi|virtio|sata|ide|efidisk|tpmstate|unused)\\d+") && storage(value).isPresent()
                    && !value.contains("media=cdrom")) {
                drives.putIfAbsent(file(value), value);
            }
        }));
        return drives;
    }

    private static String name(LabStorage storage, LabVm vm, Map<String, String> alsoTaken) {
        Set<String> taken = new TreeSet<>(drives(vm).keySet());
        alsoTaken.values().forEach(value -> taken.add(file(value)));
        String stem = storage.type().equals("dir") ? vm.vmid + "/vm-" + vm.vmid + "-disk-" : "vm-" + vm.vmid + "-disk-";
        String end = storage.type().equals("dir") ? ".raw" : "";
        int free = 0;
        while (taken.contains(storage.name() + ":" + stem + free + end)) {
            free++;
        }
        return stem + free + end;
    }
}
