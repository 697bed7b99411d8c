package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.NvidiaProbe;

import java.util.List;
import java.util.function.Predicate;

/** The words of {@code needs} in {@code lab/faults.yaml}: what must be there for a fault to be expressed. */
final class FaultNeeds {
    private static final String OLDER = "driver<";
    private static final String OBJECT = "object ";

    private FaultNeeds() {
    }

    static boolean hold(List<String> needs, FaultScope scope, ClusterEdits cluster) {
        return needs.stream().allMatch(need -> holds(need, scope, cluster));
    }

    private static boolean holds(String need, FaultScope scope, ClusterEdits cluster) {
        if (need.startsWith(OLDER)) {
            int branch = Integer.parseInt(need.substring(OLDER.length()));
            return node(scope, node -> NvidiaProbe.branch(node.driverVersion) < branch);
        }
        if (need.startsWith(OBJECT)) {
            // Before the cluster is there, nothing is known of its objects.
            return cluster == ClusterEdits.NONE || cluster.has(ref(need.substring(OBJECT.length()).split(" ")));
        }
        return switch (need) {
            case "proxmox" -> scope.host().proxmox;
            case "vm" -> scope.host().proxmox && scope.vm().isPresent();
            case "node" -> node(scope, node -> true);
            case "shell" -> node(scope, node -> node.talos.isEmpty());
            case "talos" -> node(scope, node -> node.talos.isPresent());
            case "container-driver" -> scope.world().kubernetes.driver() == GuestDriver.Source.CONTAINER
                    && node(scope, node -> node.talos.isEmpty());
            case "bare-metal-driver" -> node(scope, node -> node.vmid == 0
                    && node.driverSource == GuestDriver.Source.HOST);
            case "taint" -> node(scope, node -> node.taints.stream().anyMatch(taint -> taint.startsWith("nvidia.com/gpu=")));
            case "server" -> scope.server().isPresent();
            case "ollama" -> scope.server().filter(server -> server.kind == LabModelServer.Kind.OLLAMA).isPresent();
            default -> throw new IllegalArgumentException("lab/faults.yaml needs '" + need + "', which nobody knows");
        };
    }

    private static boolean node(FaultScope scope, Predicate<LabNode> is) {
        return scope.node().filter(is).isPresent();
    }

    /** @param words apiVersion, kind, namespace or a dash, name */
    private static ObjectRef ref(String... words) {
        return new ObjectRef(words[0], words[1], words[2].equals("-") ? "" : words[2], words[3]);
    }
}
