package dev.pitwall.lab.kube.cluster;

import dev.pitwall.lab.kube.cluster.ClusterView.Node;
import dev.pitwall.lab.kube.cluster.ClusterView.Server;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Which pod holds which card, and which pods wait for one. */
final class CardClaims {
    private static final int START_SECONDS = 4;
    /** Faults by which a notebook holds a card; the first that is on decides whether it has been stopped. */
    private static final List<Trap> NOTEBOOK = List.of(Trap.CLAIM_HELD_BY_TERMINATING_POD,
            Trap.IDLE_NOTEBOOK_HOLDS_GPU);

    private final ClusterView view;
    private final ClusterData data;

    CardClaims(ClusterView view, ClusterData data) {
        this.view = view;
        this.data = data;
    }

    /** The fault by which a notebook holds a card, and the node of that card. */
    record Notebook(Trap trap, Node node, Instant since) {
    }

    Optional<Notebook> notebook() {
        for (Trap trap : NOTEBOOK) {
            Optional<Notebook> found = view.fault(trap).flatMap(fault -> view.target(fault)
                    .map(node -> new Notebook(trap, node, fault.since())));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Where a model server's pod is in its life. */
    PodLife life(Server server) {
        Optional<Node> node = view.node(server.node());
        if (node.isEmpty()) {
            return new PodLife.Unscheduled(view.now(), "");
        }
        Optional<Notebook> notebook = notebook().filter(held -> held.node().name().equals(server.node()))
                .filter(held -> isLast(server));
        if (notebook.isPresent()) {
            return new PodLife.Unscheduled(notebook.get().since(), "");
        }
        GpuFloors floors = new GpuFloors(view, data, node.get());
        if (!node.get().driver().equals("loaded") || !floors.labelled() || floors.capacity().isEmpty()) {
            return new PodLife.Unscheduled(node.get().driverSince(), "");
        }
        Instant registered = node.get().driverSince().plusSeconds(data.times().pluginRegistered());
        Instant started = registered.plusSeconds(START_SECONDS);
        return view.now().isBefore(started) ? new PodLife.Held(registered)
                : new PodLife.Running(registered, started);
    }

    /** A notebook on a node with several cards takes the place of the node's last server. */
    private boolean isLast(Server server) {
        return view.servers().stream().filter(other -> other.node().equals(server.node())).toList().getLast()
                .equals(server);
    }

    /** Cards that no model server holds. */
    long free(Node node) {
        long servers = view.servers().stream().filter(server -> server.node().equals(node.name())).count();
        return Math.max(0, new GpuFloors(view, data, node).allocatable() - servers);
    }
}
