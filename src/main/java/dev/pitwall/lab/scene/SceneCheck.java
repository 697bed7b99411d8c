package dev.pitwall.lab.scene;

import dev.pitwall.card.PciAddress;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds what would make a world inconsistent: names that lead nowhere, things twice, addresses that are none. */
final class SceneCheck {
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{4}:[0-9a-f]{4}");
    private static final Pattern CLASS = Pattern.compile("[0-9a-f]{4}([0-9a-f]{2})? .+");

    private final String file;

    SceneCheck(String file) {
        this.file = file;
    }

    void check(Scene scene) throws SceneException {
        need(scene.name() != null && !scene.name().isBlank(), "name", "a scene needs a name");
        need(!scene.hosts().isEmpty(), "hosts", "a scene needs at least one host");
        for (var board : scene.boards().entrySet()) {
            functions("boards." + board.getKey() + ".pci", board.getValue().pci());
        }
        for (var kind : scene.cardKinds().entrySet()) {
            functions("cardKinds." + kind.getKey() + ".functions", kind.getValue().functions());
            need(!kind.getValue().functions().isEmpty(), "cardKinds." + kind.getKey(), "a card needs functions");
            need(kind.getValue().envelope() != null, "cardKinds." + kind.getKey(), "a card needs an envelope");
        }
        Set<String> cards = hosts(scene);
        vms(scene);
        nodes(scene);
        servers(scene, cards);
    }

    private Set<String> hosts(Scene scene) throws SceneException {
        Set<String> names = new HashSet<>();
        Set<String> cards = new HashSet<>();
        for (int i = 0; i < scene.hosts().size(); i++) {
            Scene.Host host = scene.hosts().get(i);
            String place = "hosts[" + i + "]";
            name(place, host.name(), names);
            known(place + ".board", host.board(), scene.boards().keySet(), "board");
            need(host.up() != null, place + ".up", "say how long ago it booted, for example P12DT4H");
            for (int c = 0; c < host.cards().size(); c++) {
                Scene.Slot slot = host.cards().get(c);
                String at = place + ".cards[" + c + "]";
                known(at + ".kind", slot.kind(), scene.cardKinds().keySet(), "card kind");
                need(PciAddress.parse(slot.slot() == null ? "" : slot.slot())
                        .filter(address -> address.function() == PciAddress.WHOLE_SLOT
                                && address.toString().equals(slot.slot())).isPresent(), at + ".slot",
                        "not a slot such as 0000:01:00");
                need(cards.add(host.name() + "/" + slot.slot()), at + ".slot", "a card is in this slot already");
            }
        }
        return cards;
    }

    private void vms(Scene scene) throws SceneException {
        Set<Integer> numbers = new HashSet<>();
        Set<String> uuids = new HashSet<>();
        Set<String> hosts = scene.hosts().stream().filter(host -> !host.proxmox().isEmpty()).map(Scene.Host::name)
                .collect(Collectors.toSet());
        for (int i = 0; i < scene.vms().size(); i++) {
            Scene.Vm vm = scene.vms().get(i);
            String place = "vms[" + i + "]";
            need(vm.vmid() >= 100 && vm.vmid() <= 999_999_999, place + ".vmid", "not from 100 to 999999999");
            need(numbers.add(vm.vmid()), place + ".vmid", vm.vmid() + " is there twice");
            known(place + ".host", vm.host(), hosts, "Proxmox host");
            known(place + ".kind", vm.kind(), scene.vmKinds().keySet(), "VM kind");
            uuid(place, vm.uuid(), uuids);
        }
        for (int i = 0; i < scene.containers().size(); i++) {
            Scene.Container container = scene.containers().get(i);
            String place = "containers[" + i + "]";
            need(numbers.add(container.vmid()), place + ".vmid", container.vmid() + " is there twice");
            known(place + ".host", container.host(), hosts, "Proxmox host");
        }
    }

    private void nodes(Scene scene) throws SceneException {
        Set<String> names = new HashSet<>();
        Set<Integer> vmids = scene.vms().stream().map(Scene.Vm::vmid).collect(Collectors.toSet());
        Set<String> hosts = scene.hosts().stream().map(Scene.Host::name).collect(Collectors.toSet());
        Set<String> uuids = new HashSet<>();
        for (int i = 0; i < scene.nodes().size(); i++) {
            Scene.Node node = scene.nodes().get(i);
            String place = "nodes[" + i + "]";
            name(place, node.name(), names);
            known(place + ".kind", node.kind(), scene.nodeKinds().keySet(), "node kind");
            if (node.vm() != null) {
                need(node.host() == null, place, "say either vm or host, not both");
                need(vmids.remove(node.vm()), place + ".vm", "no VM " + node.vm() + ", or it is another node already");
            } else {
                known(place + ".host", node.host(), hosts, "host");
                uuid(place, node.uuid(), uuids);
            }
        }
    }

    private void servers(Scene scene, Set<String> cards) throws SceneException {
        Set<String> names = new HashSet<>();
        Set<String> nodes = scene.nodes().stream().map(Scene.Node::name).collect(Collectors.toSet());
        for (int i = 0; i < scene.servers().size(); i++) {
            Scene.Server server = scene.servers().get(i);
            String place = "servers[" + i + "]";
            name(place, server.name(), names);
            known(place + ".card", server.card(), cards, "card");
            known(place + ".node", server.node(), nodes, "node");
            for (String model : server.models()) {
                known(place + ".models", model, scene.models().keySet(), "model");
            }
            for (String model : server.loaded()) {
                known(place + ".loaded", model, server.models(), "installed model");
            }
        }
    }

    private void functions(String place, List<Scene.Pci> functions) throws SceneException {
        Set<String> at = new HashSet<>();
        for (int i = 0; i < functions.size(); i++) {
            Scene.Pci function = functions.get(i);
            String here = place + "[" + i + "]";
            need(function.at() != null && at.add(function.at()), here + ".at", "missing, or there twice");
            need(function.type() != null && CLASS.matcher(function.type()).matches(), here + ".type",
                    "not a class such as '0300 VGA compatible controller'");
            need(function.id() != null && ID.matcher(function.id()).matches(), here + ".id",
                    "not an id such as 10de:25b0");
            need(function.subsystem().isEmpty() || ID.matcher(function.subsystem()).matches(), here + ".subsystem",
                    "not an id such as 10de:1878");
        }
    }

    private void name(String place, String name, Set<String> taken) throws SceneException {
        need(name != null && !name.isBlank(), place + ".name", "missing");
        need(taken.add(name), place + ".name", "'" + name + "' is there twice");
    }

    private void uuid(String place, String uuid, Set<String> taken) throws SceneException {
        need(uuid != null && UUID.matcher(uuid).matches(), place + ".uuid", "not a UUID in lower case");
        need(taken.add(uuid), place + ".uuid", "two machines cannot have one UUID");
    }

    private void known(String place, String name, Collection<String> all, String what) throws SceneException {
        need(name != null && all.contains(name), place, "no " + what + " '" + name + "'; there is "
                + (all.isEmpty() ? "none" : all.stream().sorted().collect(Collectors.joining(", "))));
    }

    private void need(boolean holds, String place, String otherwise) throws SceneException {
        if (!holds) {
            throw new SceneException(file + " " + place, otherwise);
        }
    }
}
