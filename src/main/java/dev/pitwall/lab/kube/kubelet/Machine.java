package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.ssh.BootIds;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.Power;
import dev.pitwall.lab.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a kubelet sees of its machine, as it is at one moment. */
record Machine(String name, boolean on, boolean controlPlane, Instant bootedAt, String systemUuid, String osImage,
               String kernel, String runtime, String kubelet, String address, int cpus, long memoryBytes,
               boolean stuck, Set<String> stuckPods) {
    /** From the start of the kernel to that of the kubelet. */
    private static final Duration BOOT = Duration.ofSeconds(10);

    static List<Machine> all(World world) {
        return world.read(w -> w.nodes.values().stream().map(node -> of(w, node)).toList());
    }

    private static Machine of(World world, LabNode node) {
        return new Machine(node.name, Power.isOn(world, node.name), node.role.equals("master"), node.bootedAt,
                node.systemUuid, node.osImage, node.kernel, node.containerRuntime, node.kubelet, node.address,
                node.cpus, node.memoryBytes, node.runtimeStuck,
                node.stuckPods.isEmpty() ? Set.of() : Set.copyOf(node.stuckPods));
    }

    /** Labels and taints that an administrator gave the node when it joined. */
    record Joining(Map<String, String> labels, List<String> taints) {
        static Joining of(World world, String name) {
            return world.read(w -> {
                LabNode node = w.nodes.get(name);
                return node == null ? new Joining(Map.of(), List.of())
                        : new Joining(Map.copyOf(node.labels), List.copyOf(node.taints));
            });
        }
    }

    /** When its kubelet has started. */
    Instant kubeletSince() {
        return bootedAt.plus(BOOT);
    }

    boolean works(Instant now) {
        return on && !kubeletSince().isAfter(now);
    }

    /** As the kernel has it in {@code /proc/sys/kernel/random/boot_id}. */
    String bootId() {
        return BootIds.of(name, bootedAt).toString();
    }

    boolean isStuck(String place) {
        return stuck || stuckPods.contains(place);
    }
}
