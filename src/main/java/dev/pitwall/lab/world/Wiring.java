package dev.pitwall.lab.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which card is in which machine, as it follows from the VMs that run. Call {@link #renew} after anything that starts
 * or stops a VM, or changes what a running one holds.
 */
public final class Wiring {
    private Wiring() {
    }

    /**
     * Sets every node's cards and readiness, every card's guest address and whether each model server runs anew. Call
     * inside {@link World#change}.
     */
    public static void renew(World world) {
        world.cards.values().forEach(card -> card.guestAddress = "");
        for (LabNode node : world.nodes.values()) {
            node.cards.clear();
            if (node.vmid == 0) {
                world.cards.values().stream().filter(card -> card.host.equals(node.host)).forEach(card -> {
                    card.guestAddress = card.slot;
                    node.cards.add(card.id);
                });
            } else {
                vm(world, node).filter(vm -> vm.status.equals("running")).stream()
                        .flatMap(vm -> held(world, vm, vm.running).stream()).forEach(card -> node.cards.add(card.id));
            }
        }
        world.nodes.values().forEach(node -> node.ready = isUp(world, node));
        world.servers.values().forEach(server -> server.up = runs(world, server));
        for (LabVm vm : world.vms.values()) {
            List<LabCard> held = vm.status.equals("running") ? held(world, vm, vm.running) : List.<LabCard>of();
            for (int i = 0; i < held.size(); i++) {
                // Proxmox puts hostpci0 with pcie=1 behind ich9-pcie-port-1, which a Linux guest numbers as bus 1.
                held.get(i).guestAddress = String.format("0000:%02x:00", i + 1);
            }
        }
    }

    /** Its machine runs and answers. */
    private static boolean isUp(World world, LabNode node) {
        return world.hosts.get(node.host).answers() && !node.off
                && node.talos.filter(talos -> !talos.stage.equals("running")).isEmpty()
                && (node.vmid == 0 || vm(world, node).filter(vm -> vm.answers(world.clock().instant())).isPresent());
    }

    /** The VM a node runs in; empty for bare metal, and for one whose VM was removed. */
    private static Optional<LabVm> vm(World world, LabNode node) {
        return Optional.ofNullable(world.vms.get(node.vmid));
    }

    private static boolean runs(World world, LabModelServer server) {
        LabNode node = world.nodes.get(server.node);
        boolean hasCard = server.card.isEmpty() || node.cards.contains(server.card) && node.driver.equals("loaded");
        return isUp(world, node) && hasCard;
    }

    /** The cards that a configuration names, in the order of its {@code hostpciN} keys. */
    public static List<LabCard> held(World world, LabVm vm, Map<String, String> config) {
        List<LabCard> cards = new ArrayList<>();
        for (int n = 0; n < 16; n++) {
            String key = "hostpci" + n;
            Optional.ofNullable(config.get(key)).stream()
                    .flatMap(value -> config == vm.running && vm.passed.containsKey(key) && value.contains("mapping=")
                            ? vm.passed.get(key).stream() : addresses(world, vm.host, value))
                    .map(address -> world.cards.get(vm.host + "/" + slot(address)))
                    .filter(card -> card != null && !cards.contains(card))
                    .forEach(cards::add);
        }
        return cards;
    }

    /** PCI addresses a {@code hostpciN} value stands for on a host, a mapping's entries for that host included. */
    public static Stream<String> addresses(World world, String host, String hostpci) {
        return Arrays.stream(hostpci.split(",")).flatMap(part -> {
            if (part.startsWith("mapping=")) {
                return world.pciMappings.getOrDefault(part.substring("mapping=".length()), List.of()).stream()
                        .filter(entry -> property(entry, "node").filter(host::equals).isPresent())
                        .flatMap(entry -> property(entry, "path").stream())
                        .flatMap(path -> Arrays.stream(path.split(";")));
            }
            if (part.startsWith("host=")) {
                return Arrays.stream(part.substring("host=".length()).split(";"));
            }
            return part.contains("=") ? Stream.empty() : Arrays.stream(part.split(";"));
        });
    }

    /** One property of a Proxmox property string such as {@code node=pve1,path=0000:01:00}. */
    public static Optional<String> property(String text, String name) {
        return Arrays.stream(text.split(",")).filter(part -> part.startsWith(name + "="))
                .map(part -> part.substring(name.length() + 1)).findFirst();
    }

    private static String slot(String address) {
        String full = address.indexOf(':') == 2 ? "0000:" + address : address;
        int dot = full.indexOf('.');
        return dot < 0 ? full : full.substring(0, dot);
    }
}
