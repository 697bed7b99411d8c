package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What many calls ask of a VM. Call all of it inside a world lock. */
final class Vms {
    private Vms() {
    }

    /** @throws PveError where Proxmox has no such file */
    static LabVm need(World world, String node, int vmid) throws PveError {
        return Optional.ofNullable(world.vms.get(vmid)).filter(vm -> vm.host.equals(node))
                .orElseThrow(() -> noFile(node, vmid));
    }

    /** A VM, whichever node it is on. */
    static LabVm need(World world, int vmid) throws PveError {
        return Optional.ofNullable(world.vms.get(vmid)).orElseThrow(() ->
                PveError.died("unable to find configuration file for VM " + vmid + " - no such machine"));
    }

    static boolean runs(LabVm vm) {
        return !vm.status.equals("stopped");
    }

    static boolean isTemplate(LabVm vm) {
        return "1".equals(vm.config.get("template"));
    }

    /** A VM that something works on refuses everything else. */
    static void refuseLocked(LabVm vm) throws PveError {
        if (!vm.lock.isEmpty()) {
            throw PveError.died("VM is locked (" + vm.lock + ")");
        }
    }

    static boolean passesDevices(Map<String, String> config) {
        return config.keySet().stream().anyMatch(key -> key.startsWith("hostpci"));
    }

    /** MiB, as {@code memory} says it. */
    static long memory(Map<String, String> config) {
        String text = PropertyString.read(config.getOrDefault("memory", "512"), "current").get("current").orElse("512");
        return Long.parseLong(text);
    }

    /** An HA resource that is not ignored: the HA stack decides whether it runs. */
    static boolean isHaManaged(World world, int vmid) {
        return Optional.ofNullable(world.haResources.get("vm:" + vmid))
                .filter(resource -> !resource.options.getOrDefault("state", "started").equals("ignored")).isPresent();
    }

    /** SHA-1 of the configuration file: what runs, then what is pending, then the snapshots. [facts: proxmox.md 1.7] */
    static String digest(LabVm vm) {
        StringBuilder text = new StringBuilder();
        append(text, "", vm.config);
        if (!vm.running.isEmpty() && !vm.running.equals(vm.config)) {
            append(text, "current", vm.running);
        }
        vm.snapshots.forEach((name, snapshot) -> append(text, name + " " + snapshot.takenAt(), snapshot.config()));
        return sha1(text.append(vm.lock).toString());
    }

    static String sha1(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1")
                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is missing in this JDK", e);
        }
    }

    private static void append(StringBuilder text, String section, Map<String, String> config) {
        text.append('[').append(section).append("]\n");
        new TreeMap<>(config).forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    }

    private static PveError noFile(String node, int vmid) {
        return PveError.died("Configuration file 'nodes/" + node + "/qemu-server/" + vmid + ".conf' does not exist");
    }
}
