package dev.pitwall.doctor.live;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.HostReport;
import dev.pitwall.card.MachineReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.SiteFacts;
import dev.pitwall.card.VmReport;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.site.LiveSite;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Where things of a site belong, so that what is seen of a host, a VM and a node is judged together. The cards have joined them
 * already: by SMBIOS UUID, never by name.
 *
 * @param cards every card, with its host, VM and node
 * @param nodes the cluster's nodes by SMBIOS UUID
 */
record Places(List<Card> cards, Map<String, String> nodes, Optional<SiteFacts> facts) {

    static Places of(LiveSite live) {
        return new Places(live.view().cards(), live.nodes(), live.facts());
    }

    /** A physical machine: looked at by itself, under its own name. */
    About host(String host) {
        return new About("", host, onlyCard(cards.stream().filter(card -> card.host().equals(host)).toList()), "");
    }

    private static String onlyCard(List<Card> cards) {
        return cards.size() == 1 ? cards.getFirst().id() : "";
    }

    /** What its host says of a VM is looked at with the host. */
    About vm(HostReport host, VmReport vm) {
        String card = onlyCard(cards.stream().filter(c -> c.host().equals(host.node())
                && c.vm().filter(v -> v.vmid() == vm.vmid()).isPresent()).toList());
        return new About("", host.node(), card, "");
    }

    /** The node that a VM is; empty while the cluster knows none with its UUID. */
    Optional<About> guest(VmReport vm) {
        return node(vm).map(this::node);
    }

    /** A machine with a shell: a node of the cluster, or one that may become one. */
    About machine(String name) {
        Optional<String> uuid = facts.map(SiteFacts::machines).map(all -> all.get(name)).flatMap(Observed::value)
                .flatMap(MachineReport::systemUuid);
        String node = uuid.map(u -> nodes.get(u.toLowerCase(Locale.ROOT))).orElse(name);
        return new About("", node, onlyCardOf(node), "");
    }

    About node(String name) {
        return new About("", name, onlyCardOf(name), "");
    }

    /** A card as its host has it. */
    About below(Card card) {
        return new About("", card.host(), card.id(), "");
    }

    /** A card as its node has it; as its host has it, while there is no node. */
    About above(Card card) {
        return new About("", node(card).orElse(card.host()), card.id(), "");
    }

    /** A floor or a step is about the host up to the VM, and about the node from there on. */
    About at(Card card, Floor floor) {
        return floor.compareTo(Floor.VM) <= 0 ? below(card) : above(card);
    }

    /** The node that a card serves, or would serve if its VM were up. */
    private Optional<String> node(Card card) {
        return card.node().or(() -> card.vm().flatMap(vm -> host(card.host(), vm.vmid())).flatMap(this::node));
    }

    private Optional<VmReport> host(String host, int vmid) {
        return facts.map(SiteFacts::hosts).map(all -> all.get(host)).flatMap(Observed::value)
                .flatMap(report -> report.vms().stream().filter(vm -> vm.vmid() == vmid).findFirst());
    }

    private Optional<String> node(VmReport vm) {
        return vm.smbiosUuid().map(uuid -> nodes.get(uuid.toLowerCase(Locale.ROOT)));
    }

    private String onlyCardOf(String node) {
        return onlyCard(cards.stream().filter(card -> node(card).filter(node::equals).isPresent()).toList());
    }

    /** Names of the nodes that have a card, or are to have one. */
    Set<String> cardNodes() {
        return cards.stream().flatMap(card -> node(card).stream()).collect(Collectors.toCollection(TreeSet::new));
    }
}
