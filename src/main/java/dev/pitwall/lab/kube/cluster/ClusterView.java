package dev.pitwall.lab.kube.cluster;

import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabCluster;
import dev.pitwall.lab.world.LabFault;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The part of the world a cluster shows, as it is at one moment. */
record ClusterView(Instant now, String cluster, LabCluster kubernetes, List<Node> nodes, List<Server> servers,
                   List<Fault> faults) {

    /**
     * @param taints  {@code key=value:Effect}
     * @param machine product name in its SMBIOS, as GPU Feature Discovery reads it
     * @param driver  absent, compiling, loaded or failed
     */
    record Node(int index, String name, boolean master, String systemUuid, String osImage, String kernel,
                String runtime, String kubelet, String address, int cpus, long memoryBytes, Instant bootedAt,
                Map<String, String> labels, List<String> taints, boolean ready, List<Card> cards, String machine,
                String driver, String driverVersion, Instant driverSince, boolean toolkitReady) {

        boolean hasCards() {
            return !cards.isEmpty();
        }

        long usableCards() {
            return cards.stream().filter(card -> !card.lost()).count();
        }

        /** {@code ubuntu24.04}, as driver image tags have it. */
        String osTag() {
            String[] words = osImage.split(" ");
            String[] numbers = words.length > 1 ? words[1].split("\\.") : new String[] {""};
            return words[0].toLowerCase(Locale.ROOT) + numbers[0]
                    + (numbers.length > 1 ? "." + numbers[1] : "");
        }
    }

    record Card(String id, String product, String uuid, long vramMiB, boolean lost) {
    }

    record Server(String name, String namespace, LabModelServer.Kind kind, String node, String version, boolean up) {
    }

    /** @param card empty for the first that fits */
    record Fault(Trap trap, Optional<String> card, Instant since) {
    }

    static ClusterView of(World world) {
        return world.read(w -> {
            List<Node> nodes = new ArrayList<>();
            for (LabNode node : w.nodes.values()) {
                nodes.add(node(w, node, nodes.size()));
            }
            List<Server> servers = w.servers.values().stream().map(ClusterView::server).toList();
            List<Fault> faults = w.faults.stream().flatMap(fault -> fault(fault).stream()).toList();
            return new ClusterView(w.clock().instant(), w.cluster.isEmpty() ? w.scene : w.cluster,
                    w.kubernetes, List.copyOf(nodes), servers, faults);
        });
    }

    private static Node node(World world, LabNode node, int index) {
        LabVm vm = world.vms.get(node.vmid);
        // A machine that is off sees no card, but its node object stays as the kubelet last wrote it.
        List<LabCard> seen = node.ready || vm == null
                ? node.cards.stream().map(world.cards::get).filter(Objects::nonNull).toList()
                : Wiring.held(world, vm, vm.config);
        List<Card> cards = seen.stream()
                .map(card -> new Card(card.id, card.product, card.uuid, card.vramMiB, card.lost)).toList();
        LabHost host = world.hosts.get(node.host);
        // A QEMU guest's product name is its machine type.
        String machine = node.vmid != 0 ? "Standard-PC-Q35-ICH9-2009"
                : host == null ? "unknown" : host.boardName.replaceAll("[^A-Za-z0-9-_. ]", "").replaceAll(" +", "-");
        return new Node(index, node.name, node.role.equals("master"), node.systemUuid, node.osImage, node.kernel,
                node.containerRuntime, node.kubelet, node.address, node.cpus, node.memoryBytes, node.bootedAt,
                Map.copyOf(node.labels), List.copyOf(node.taints), node.ready, cards, machine,
                node.ready ? node.driver : "loaded", node.driverVersion,
                node.ready ? node.driverSince : node.bootedAt, node.toolkitReady);
    }

    private static Server server(LabModelServer server) {
        return new Server(server.name, server.namespace, server.kind, server.node, server.version, server.up);
    }

    private static Optional<Fault> fault(LabFault fault) {
        return Trap.named(fault.trap()).map(trap -> new Fault(trap, fault.card(), fault.since()));
    }

    /** The operator brings the driver in a container; else the nodes have it from their own system. */
    boolean operatorBringsDriver() {
        return kubernetes.driver() == GuestDriver.Source.CONTAINER;
    }

    List<Node> gpuNodes() {
        return nodes.stream().filter(Node::hasCards).toList();
    }

    Optional<Node> node(String name) {
        return nodes.stream().filter(node -> node.name().equals(name)).findFirst();
    }

    Optional<Fault> fault(Trap trap) {
        return faults.stream().filter(fault -> fault.trap() == trap).findFirst();
    }

    /** The fault, if it strikes this node: that of its card, or the first node with a card if none is named. */
    Optional<Fault> fault(Trap trap, Node node) {
        return fault(trap).filter(fault -> target(fault).filter(hit -> hit.name().equals(node.name())).isPresent());
    }

    Optional<Node> target(Fault fault) {
        if (fault.card().isPresent()) {
            return nodes.stream().filter(node -> node.cards().stream()
                    .anyMatch(card -> card.id().equals(fault.card().get()))).findFirst();
        }
        return gpuNodes().stream().findFirst();
    }
}
