package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A VM is made; it is not started. How it is made:
 * <ul>
 * <li>guard: no guest of the cluster has {@code vmid}. If one has it and its {@code smbios1} has {@code uuid}, this
 * change has been made (perhaps without its last call); any other guest under that id stops the run;</li>
 * <li>{@link Template}: {@code POST nodes/NODE/qemu/TEMPLATE/clone} with {@code newid}, {@code name}, {@code full} and,
 * where given, {@code storage}; the task is waited for; then {@code POST nodes/NODE/qemu/VMID/config} with {@code
 * settings}. A clone that lost its second call is one whose settings differ: they are sent again;</li>
 * <li>{@link Blank}: {@code POST nodes/NODE/qemu} with {@code vmid}, {@code name} and {@code settings}, which allocate
 * its disks (facts 1.1: never the synchronous call); the task is waited for.</li>
 * </ul>
 * Undo is {@code DELETE nodes/NODE/qemu/VMID} with {@code purge=1}: only if the VM is off and its {@code smbios1} still
 * has {@code uuid}; it is never stopped for that, and its disks go with it.
 *
 * @param uuid     SMBIOS UUID, lower case: also in {@code settings} as {@code smbios1}
 * @param settings keys of the configuration as they are sent
 */
public record VmCreation(String node, int vmid, String name, Origin origin, String uuid,
                         SortedMap<String, String> settings, String summary) implements Change {

    public VmCreation {
        Objects.requireNonNull(origin);
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        if (!settings.getOrDefault("smbios1", "").contains(uuid)) {
            throw new IllegalArgumentException("a new VM is known again by its UUID");
        }
    }

    /** What it is made of. */
    public sealed interface Origin permits Template, Blank {
    }

    /**
     * A copy of a template.
     *
     * @param storage where the disks go; empty for where the template's are
     */
    public record Template(int vmid, Optional<String> storage) implements Origin {
    }

    /** An empty disk; what is installed comes from the ISO image among the settings. */
    public record Blank() implements Origin {
    }

    @Override
    public String system() {
        return node;
    }

    @Override
    public String target() {
        return switch (origin) {
            case Template t -> "/nodes/" + node + "/qemu/" + t.vmid() + "/clone";
            case Blank b -> "/nodes/" + node + "/qemu";
        };
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of("destroys VM " + vmid + " with its disks, if it is off");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(Duration.ofMinutes(2));
    }

    /** The change that takes this one back. */
    public VmRemoval inverse() {
        return new VmRemoval(node, vmid, name, uuid);
    }

    /** The settings as lines {@code key: value}. */
    public String lines() {
        SortedMap<String, Optional<String>> lines = new TreeMap<>();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            lines.put(setting.getKey(), Optional.of(setting.getValue()));
        }
        return VmConfigChange.lines(lines);
    }
}
