package dev.pitwall.lab.kube.cluster;

import dev.pitwall.lab.kube.cluster.ClusterView.Node;
import dev.pitwall.lab.world.ContainerRuntime;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the cluster does to its machines: the driver container compiles and loads the module, the toolkit makes the
 * runtime know its handler, and a model server is up only while its pod runs. Faults get in the way; when one is
 * switched off, what it held up is loaded at once and the floors above follow. Used by one thread.
 */
final class WorldEffects {
    private final World world;
    private final ClusterData data;
    /** Nodes whose driver a fault holds in another state than it was. */
    private final Set<String> held = new HashSet<>();
    private final Set<String> handlerTaken = new HashSet<>();
    private final Set<String> serversDown = new HashSet<>();

    WorldEffects(World world, ClusterData data) {
        this.world = world;
        this.data = data;
    }

    /** Brings the world into line. @return true if it was changed */
    boolean apply(ClusterView view) {
        Map<String, Consumer<LabNode>> nodeChanges = new HashMap<>();
        List<Node> running = view.gpuNodes().stream().filter(Node::ready).toList();
        running.forEach(node -> driver(view, node, nodeChanges));
        running.forEach(node -> toolkit(view, node, nodeChanges));
        Map<String, Boolean> servers = servers(view);
        if (nodeChanges.isEmpty() && servers.isEmpty()) {
            return false;
        }
        world.change(w -> {
            nodeChanges.forEach((name, change) -> {
                LabNode node = w.nodes.get(name);
                if (node != null) {
                    change.accept(node);
                }
            });
            servers.forEach((name, up) -> {
                LabModelServer server = w.servers.get(name);
                if (server != null) {
                    server.up = up;
                }
            });
        });
        return true;
    }

    private void driver(ClusterView view, Node node, Map<String, Consumer<LabNode>> changes) {
        Wanted wanted = wanted(view, node);
        if (wanted.held()) {
            held.add(node.name());
        } else if (!held.remove(node.name()) && node.driver().equals(wanted.state())) {
            return;
        }
        boolean same = node.driver().equals(wanted.state())
                && (!wanted.held() || node.driverSince().equals(wanted.since()));
        if (!same) {
            String version = node.driverVersion().isEmpty() ? version(view) : node.driverVersion();
            merge(changes, node.name(), target -> {
                target.driver = wanted.state();
                target.driverSince = wanted.since();
                target.driverVersion = version;
                ContainerRuntime.decide(target, false);
            });
        }
    }

    /** @param held by a fault */
    private record Wanted(String state, Instant since, boolean held) {
    }

    private Wanted wanted(ClusterView view, Node node) {
        Instant now = view.now();
        var nfd = view.fault(Trap.NFD_MASTER_MISSING_TOLERATION);
        if (nfd.isPresent()) {
            return new Wanted("absent", nfd.get().since(), true);
        }
        var scan = view.fault(Trap.NFD_FIRST_SCAN_PENDING);
        if (scan.isPresent()) {
            Instant labelled = scan.get().since().plusSeconds(data.times().nfdFirstScan());
            return now.isBefore(labelled) ? new Wanted("absent", scan.get().since(), true)
                    : compiling(labelled, now, true);
        }
        var image = view.fault(Trap.DRIVER_IMAGE_NOT_PUBLISHED_FOR_OS, node);
        if (image.isPresent()) {
            return new Wanted("absent", image.get().since(), true);
        }
        var oom = view.fault(Trap.DRIVER_OOM_WHILE_COMPILING, node);
        if (oom.isPresent()) {
            return new Wanted("failed", oom.get().since(), true);
        }
        var unsigned = view.fault(Trap.SECURE_BOOT_REJECTS_MODULE, node);
        if (unsigned.isPresent()) {
            return new Wanted("failed", unsigned.get().since(), true);
        }
        var waiting = view.fault(Trap.WAITING_DRIVER_COMPILING, node);
        if (waiting.isPresent()) {
            return compiling(waiting.get().since(), now, true);
        }
        return switch (node.driver()) {
            case "compiling" -> held.contains(node.name()) ? new Wanted("loaded", now, false)
                    : compiling(node.driverSince(), now, false);
            case "absent" -> held.contains(node.name()) ? new Wanted("loaded", now, false)
                    : view.operatorBringsDriver() ? new Wanted("compiling", now, false)
                    : new Wanted("absent", node.driverSince(), false);
            case "failed" -> held.contains(node.name()) ? new Wanted("loaded", now, false)
                    : new Wanted("failed", node.driverSince(), false);
            default -> new Wanted("loaded", node.driverSince(), false);
        };
    }

    private Wanted compiling(Instant since, Instant now, boolean byFault) {
        Instant done = since.plusSeconds(data.times().driverCompile());
        return now.isBefore(done) ? new Wanted("compiling", since, byFault) : new Wanted("loaded", done, byFault);
    }

    private String version(ClusterView view) {
        return view.nodes().stream().map(Node::driverVersion).filter(version -> !version.isEmpty()).findFirst()
                .orElse(data.operator().driverVersion());
    }

    private void toolkit(ClusterView view, Node node, Map<String, Consumer<LabNode>> changes) {
        if (changes.containsKey(node.name()) || !node.driver().equals("loaded")) {
            return;
        }
        boolean broken = new GpuFloors(view, data, node).runtimeMissing();
        boolean time = !view.now().isBefore(node.driverSince().plusSeconds(data.times().toolkitReady()));
        boolean healed = !broken && handlerTaken.remove(node.name());
        if (broken) {
            handlerTaken.add(node.name());
        }
        boolean ready = !broken && time;
        if (node.toolkitReady() != ready || healed) {
            merge(changes, node.name(), target -> {
                ContainerRuntime.decide(target, ready || healed);
                // The floors above start again from the toolkit.
                if (healed) {
                    target.driverSince = view.now().minusSeconds(data.times().toolkitReady());
                }
            });
        }
    }

    private Map<String, Boolean> servers(ClusterView view) {
        Map<String, Boolean> changes = new HashMap<>();
        CardClaims claims = new CardClaims(view, data);
        for (ClusterView.Server server : view.servers()) {
            boolean runs = claims.life(server) instanceof PodLife.Running;
            if (!runs && server.up()) {
                serversDown.add(server.name());
                changes.put(server.name(), false);
            } else if (runs && serversDown.remove(server.name()) && !server.up()) {
                changes.put(server.name(), true);
            }
        }
        return changes;
    }

    private static void merge(Map<String, Consumer<LabNode>> changes, String node, Consumer<LabNode> change) {
        changes.merge(node, change, Consumer::andThen);
    }
}
