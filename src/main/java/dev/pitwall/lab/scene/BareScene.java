package dev.pitwall.lab.scene;

import dev.pitwall.lab.world.GuestDriver;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A scene before anybody set up its cards for Kubernetes: hosts, VMs and nodes are there, and no VM of a node has its
 * card, no node a driver, no cluster the operator; no model server runs. Proxmox hosts stay as prepared as they are;
 * of a bare machine the kernel's own drivers hold the cards. Labels and taints of nodes are those that the nodes joined
 * with.
 */
final class BareScene {
    private static final String CARD = "hostpci\\d+";
    private static final String NVIDIA = "siderolabs/.*nvidia.*";

    private final Scene scene;

    private BareScene(Scene scene) {
        this.scene = scene;
    }

    static Scene of(Scene scene) {
        return new BareScene(scene).bare();
    }

    private Scene bare() {
        Set<Integer> nodes = scene.nodes().stream().map(Scene.Node::vm).filter(vm -> vm != null)
                .collect(Collectors.toSet());
        Set<String> kinds = scene.vms().stream().filter(vm -> nodes.contains(vm.vmid())).map(Scene.Vm::kind)
                .collect(Collectors.toSet());
        Scene.Operator none = new Scene.Operator("", scene.kubernetes().operator().namespace(), GuestDriver.Source.NONE);
        return new Scene(scene.name(), scene.summary(), scene.cluster(),
                new Scene.Kubernetes(scene.kubernetes().distribution(), none), scene.boards(), scene.cardKinds(),
                vmKinds(kinds), nodeKinds(), scene.models(), scene.hosts().stream().map(BareScene::host).toList(),
                scene.vms().stream().map(vm -> nodes.contains(vm.vmid()) ? vm(vm) : vm).toList(), scene.containers(),
                scene.nodes(), List.of(), scene.users(), scene.tokens(), scene.pciMappings(), scene.pods());
    }

    private Map<String, Scene.VmKind> vmKinds(Set<String> ofNodes) {
        Map<String, Scene.VmKind> all = new LinkedHashMap<>(scene.vmKinds());
        ofNodes.forEach(name -> all.computeIfPresent(name, (n, kind) -> new Scene.VmKind(withoutCards(kind.config()))));
        return all;
    }

    private static Scene.Vm vm(Scene.Vm vm) {
        return new Scene.Vm(vm.vmid(), vm.host(), vm.name(), vm.kind(), vm.uuid(), vm.up(), withoutCards(vm.config()));
    }

    private static Map<String, String> withoutCards(Map<String, String> config) {
        Map<String, String> rest = new LinkedHashMap<>(config);
        rest.keySet().removeIf(key -> key.matches(CARD));
        return rest;
    }

    private Map<String, Scene.NodeKind> nodeKinds() {
        Map<String, Scene.NodeKind> all = new LinkedHashMap<>();
        scene.nodeKinds().forEach((name, kind) -> all.put(name, new Scene.NodeKind(kind.role(), kind.os(),
                kind.kernel(), kind.containerRuntime(), kind.kubelet(), null, null, kind.labels(), kind.taints(),
                kind.talos() == null ? null : new Scene.Talos(kind.talos().version(), kind.talos().extensions().stream()
                        .filter(e -> !e.matches(NVIDIA)).toList(), List.of()), kind.shell() || hadCards(name))));
        return all;
    }

    /** Whoever sets up the node of a card can sign in to it before the card is there. */
    private boolean hadCards(String nodeKind) {
        return scene.nodes().stream().filter(n -> n.kind().equals(nodeKind) && n.vm() != null).anyMatch(n -> scene.vms().stream()
                .filter(vm -> vm.vmid() == n.vm()).anyMatch(vm -> Stream.concat(vm.config().keySet().stream(),
                        scene.vmKinds().get(vm.kind()).config().keySet().stream()).anyMatch(key -> key.matches(CARD))));
    }

    /** vfio-pci of a Proxmox host is part of its preparation; NVIDIA's own driver of a bare machine is not. */
    private static Scene.Host host(Scene.Host host) {
        return new Scene.Host(host.name(), host.board(), host.proxmox(), host.kernel(), host.address(), host.up(),
                host.commandLine(), host.firmware(), host.cards().stream().map(slot -> new Scene.Slot(slot.slot(),
                slot.kind(), slot.group(), slot.uuid(), "nvidia".equals(slot.driver()) ? null : slot.driver())).toList(),
                host.files());
    }
}
