package dev.pitwall.doctor.live;

import dev.pitwall.card.Card;
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

    /**
     * A physical machine. Where all its cards serve one node, it is looked at with that node; else by itself, under its own
     * name.
     */
    About host(String host) {
        List<Card> own = cards.stream().filter(card -> card.host().equals(host)).toList();
        Set<String> served = own.stream().flatMap(card -> node(card).stream()).collect(Collectors.toCollection(TreeSet::new));
        String card = own.size() == 1 ? own.getFirst().id() : "";
        return new About("", served.size() == 1 ? served.iterator().next() : host, card, "");
    }

    /** A VM that is no node of the cluster is looked at with its host. */
    About vm(HostReport host, VmReport vm) {
        List<Card> own = cards.stream().filter(c -> c.host().equals(host.node())
                && c.vm().filter(v -> v.vmid() == vm.vmid()).isPresent()).toList();
        String card = own.size() == 1 ? own.getFirst().id() : "";
        return new About("", node(vm).orElseGet(() -> host(host.node()).node()), card, "");
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

    About card(Card card) {
        return new About("", node(card).orElse(card.host()), card.id(), "");
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
        List<Card> own = cards.stream().filter(card -> node(card).filter(node::equals).isPresent()).toList();
        return own.size() == 1 ? own.getFirst().id() : "";
    }

    /** Names of the nodes that have a card, or are to have one. */
    Set<String> cardNodes() {
        return cards.stream().flatMap(card -> node(card).stream()).collect(Collectors.toCollection(TreeSet::new));
    }
}
