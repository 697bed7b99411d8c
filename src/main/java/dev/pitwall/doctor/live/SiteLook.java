package dev.pitwall.doctor.live;

import dev.pitwall.card.HostReport;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.SiteFacts;
import dev.pitwall.card.TroubleException;
import dev.pitwall.card.VmReport;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Talos;
import dev.pitwall.site.Connection;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.ShellAccess;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Looks at everything of a site once, and has the Doctor judge it. */
final class SiteLook {
    /** How long the slowest of the first answers is waited for. */
    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Practice practice;
    private final Looks looks;

    SiteLook(Practice practice, Looks looks) {
        this.practice = practice;
        this.looks = looks;
    }

    /** @param systems the ways in that are to be used */
    Diagnosis diagnose(Systems systems) throws TroubleException, InterruptedException {
        awaitFirstAnswers();
        Systems once = new ReadOnce(systems);
        Places places = Places.of(practice.live());
        LiveEvidence evidence = new LiveEvidence(parts(once, places));
        return practice.doctor().diagnose(evidence).unseen(evidence.unseen());
    }

    /** What a source has not answered by then is told by whoever asks it. */
    private void awaitFirstAnswers() throws InterruptedException {
        long end = System.nanoTime() + FIRST_ANSWERS.toNanos();
        while (reading(practice.live()) && System.nanoTime() < end) {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    private static boolean reading(LiveSite live) {
        List<Connection> connections = live.view().connections();
        return connections.stream().anyMatch(c -> c.state() == Connection.State.READING)
                || live.view().cards().isEmpty() && connections.stream().allMatch(c -> c.trouble().isEmpty());
    }

    private List<LiveEvidence.Part> parts(Systems once, Places places) throws InterruptedException {
        List<LiveEvidence.Part> parts = new ArrayList<>();
        practice.live().site().shells().forEach(shell -> machine(once, places, shell).ifPresent(parts::add));
        vms(once, places).forEach(parts::add);
        talosNodes(once, places).forEach(parts::add);
        parts.add(new TowerPart(places));
        parts.add(new ServersPart(places));
        Journey journey = practice.wizard(once);
        places.cards().forEach(card -> StepPart.subject(card).ifPresent(subject ->
                parts.add(new StepPart(journey, subject, floor -> places.at(card, floor)))));
        if (practice.live().site().cluster().isPresent()) {
            parts.add(new ClusterPart(once, places));
        }
        return parts;
    }

    /** A machine without Proxmox that has cards is host and node at once, and is looked at as a node. */
    private Optional<LiveEvidence.Part> machine(Systems once, Places places, ShellAccess shell) {
        String name = shell.name();
        return switch (shell.role()) {
            case PROXMOX_HOST -> Optional.of(new MachinePart(once, name, places.host(name).of("host"), Looks.Role.HOST, looks));
            case NODE -> Optional.of(new MachinePart(once, name, inside(places.machine(name), places), Looks.Role.NODE, looks));
            case JUMP -> Optional.empty();
        };
    }

    /** What a guest says of its card may be said of the VM; what a host says is said of the slot. */
    private static About inside(About machine, Places places) {
        return places.cards().stream().anyMatch(card -> card.host().equals(machine.node())) ? machine : machine.of("guest");
    }

    private Stream<LiveEvidence.Part> vms(Systems once, Places places) {
        return practice.live().facts().map(SiteFacts::hosts).map(Map::values).stream().flatMap(hosts -> hosts.stream())
                .map(Observed::value).flatMap(Optional::stream).flatMap(host -> host.vms().stream()
                        .filter(vm -> !vm.template() && !vm.passthrough().isEmpty())
                        .map(vm -> part(once, places, host, vm)));
    }

    private static LiveEvidence.Part part(Systems once, Places places, HostReport host, VmReport vm) {
        return new VmPart(once, host.node(), vm.vmid(), places.vm(host, vm), places.guest(vm));
    }

    /** A node that is kept for cards, or was, though no card is found to belong to it. */
    private static boolean isForCards(NodeReport node) {
        return Stream.concat(node.labels().keySet().stream(), node.taints().stream().map(NodeReport.Taint::key))
                .anyMatch(key -> key.startsWith("nvidia.com/") || key.startsWith("extensions.talos.dev/nvidia")
                        || key.startsWith("extensions.talos.dev/nonfree-kmod-nvidia"));
    }

    /** Nodes whose operating system says so; they are asked by the address that the cluster knows. */
    private Stream<LiveEvidence.Part> talosNodes(Systems once, Places places) throws InterruptedException {
        Optional<Talos> talos;
        try {
            talos = once.talos();
        } catch (TroubleException e) {
            return Stream.of(found -> found.miss(e.trouble()));
        }
        return talos.isEmpty() ? Stream.empty() : practice.live().cluster().flatMap(Observed::value).stream()
                .flatMap(cluster -> cluster.nodes().stream())
                .filter(node -> node.osImage().filter(os -> os.startsWith("Talos")).isPresent()
                        && (places.cardNodes().contains(node.name()) || isForCards(node)))
                .flatMap(node -> node.internalIp().stream().map(address ->
                        new TalosPart(once, address, places.node(node.name()))));
    }
}
