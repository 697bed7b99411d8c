package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Some keys of a VM's configuration get other values, appear, or go. It is made only while all of them still have the
 * values of {@code before}, pending changes counted, and Proxmox is given the digest that was read with them.
 *
 * @param node   the Proxmox node
 * @param before the same keys as {@code after}; empty where the key is not set
 * @param after  empty where the key goes
 */
public record VmConfigChange(String node, int vmid, SortedMap<String, Optional<String>> before,
                             SortedMap<String, Optional<String>> after, String summary) implements Change {

    public VmConfigChange {
        before = copy(before);
        after = copy(after);
        if (!before.keySet().equals(after.keySet())) {
            throw new IllegalArgumentException("every changed key needs its value before");
        }
    }

    private static SortedMap<String, Optional<String>> copy(Map<String, Optional<String>> values) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    @Override
    public String system() {
        return node;
    }

    @Override
    public String target() {
        return "/nodes/" + node + "/qemu/" + vmid + "/config";
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of("puts back the values that were there");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.empty();
    }

    /** The change that takes this one back. */
    public VmConfigChange inverse() {
        return new VmConfigChange(node, vmid, after, before, "as it was before");
    }

    /** The values as lines {@code key: value}, absent keys left out. */
    public static String lines(SortedMap<String, Optional<String>> values) {
        return values.entrySet().stream().filter(e -> e.getValue().isPresent())
                .map(e -> e.getKey() + ": " + e.getValue().get() + "\n").collect(Collectors.joining());
    }
}
