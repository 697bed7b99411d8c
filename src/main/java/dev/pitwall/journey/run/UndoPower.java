package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Journal.Intended;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.Targets;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.drain.Departure;
import dev.pitwall.journey.survey.HostNodes;
import dev.pitwall.journey.survey.HostNodesSurveyor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What has to happen after contents were put back, so that they count: the commands of the run, its reboot with the
 * guests that run now, and a power cycle of each VM that still runs with what is to go. A node whose VM is power-cycled, or
 * stops with its host, is not rebooted too.
 */
final class UndoPower {
    private static final Duration SHUTDOWN = Duration.ofMinutes(3);
    private static final Duration START = Duration.ofMinutes(5);

    private final Systems systems;
    private final Patience patience;

    UndoPower(Systems systems, Patience patience) {
        this.systems = systems;
        this.patience = patience;
    }

    /** @param contents the changes that put contents back */
    List<Intended> after(RunRecord run, List<Intended> contents) throws TroubleException, InterruptedException {
        List<ChangeRecord> made = LaterRuns.made(run);
        List<Intended> more = new ArrayList<>();
        made.stream().filter(c -> c.change() instanceof CommandChange).map(UndoPower::again)
                .filter(c -> more.stream().noneMatch(m -> Targets.doneByLater(m.change(), c.change())))
                .forEach(more::add);
        Optional<ChangeRecord> reboot =
                made.stream().filter(c -> c.change() instanceof HostReboot).reduce((first, last) -> last);
        Optional<ChangeRecord> node =
                made.stream().filter(c -> c.change() instanceof NodeReboot).reduce((first, last) -> last);
        if (node.isPresent()) {
            more.add(new Intended(node.get().step(), withPodsOfNow((NodeReboot) node.get().change())));
        }
        List<HostReboot.Guest> stops = List.of();
        if (reboot.isPresent()) {
            HostReboot now = withGuestsOfNow((HostReboot) reboot.get().change());
            stops = now.stops();
            more.add(new Intended(reboot.get().step(), now));
        }
        for (Intended content : contents) {
            Optional<VmPowerCycle> cycle = cycle(content.change(), made);
            if (cycle.isPresent() && !startedByHost(cycle.get().vmid(), stops)) {
                more.add(new Intended(content.step(), cycle.get()));
            }
        }
        return Targets.once(more, Intended::change);
    }

    /** An upgrade that is taken back drains the node anew, of the pods that are there now. */
    List<Intended> withPodsOfNow(List<Intended> inverses) throws TroubleException, InterruptedException {
        List<Intended> all = new ArrayList<>();
        for (Intended inverse : inverses) {
            Optional<Cluster> cluster = systems.cluster();
            all.add(inverse.change() instanceof TalosUpgrade u && u.drain().isPresent() && cluster.isPresent()
                    ? new Intended(inverse.step(), u.draining(ofNow(u.node(), u.drain(), cluster.get()).drain().orElseThrow()))
                    : inverse);
        }
        return all;
    }

    private static Intended again(ChangeRecord made) {
        return new Intended(made.step(), made.change());
    }

    private NodeReboot withPodsOfNow(NodeReboot made) throws TroubleException, InterruptedException {
        Optional<Cluster> cluster = systems.cluster();
        if (made.drain().isEmpty() || cluster.isEmpty()) {
            return made;
        }
        NodeDown now = ofNow(made.machine(), made.drain(), cluster.get());
        return new NodeReboot(made.machine(), made.vm(), now.drain(), now.stops(), made.takes(), made.limit());
    }

    private static NodeDown ofNow(String machine, Optional<Drain> drain, Cluster cluster)
            throws TroubleException, InterruptedException {
        return NodeDrain.ofNow(new NodeDown(drain.map(Drain::node).orElse(machine), NodeDown.MACHINE, drain, List.of()), cluster);
    }

    private HostReboot withGuestsOfNow(HostReboot made) throws TroubleException, InterruptedException {
        Optional<Proxmox> api = new HostWays(made.host(), systems, patience).api();
        List<HostReboot.Guest> stops =
                api.isPresent() ? new RunningGuests(api.get(), made.host()).read() : made.stops();
        List<NodeDown> nodes = new ArrayList<>();
        for (NodeDown node : made.nodes()) {
            nodes.add(ofNow(node));
        }
        return new HostReboot(made.host(), stops, nodes, made.takes(), made.limit());
    }

    /** The pods that are on it now leave where those of the run did. */
    private NodeDown ofNow(NodeDown made) throws TroubleException, InterruptedException {
        Optional<Cluster> cluster = systems.cluster();
        return cluster.isEmpty() ? made : NodeDrain.ofNow(made, cluster.get());
    }

    /** A guest that stops and starts with its host needs no power cycle of its own. */
    private static boolean startedByHost(int vmid, List<HostReboot.Guest> stops) {
        return stops.stream().anyMatch(g -> g.id() == vmid && g.onboot());
    }

    /** Of a VM that is off nothing is pending. */
    private Optional<VmPowerCycle> cycle(Change content, List<ChangeRecord> made)
            throws TroubleException, InterruptedException {
        if (!(content instanceof VmConfigChange config)) {
            return Optional.empty();
        }
        Proxmox api = systems.proxmox(config.node());
        String vm = "nodes/" + config.node() + "/qemu/" + config.vmid();
        if (!VmLife.of(api.get(vm + "/status/current")).on()) {
            return Optional.empty();
        }
        JsonNode live = api.get(vm + "/config", Map.of("current", "1"));
        boolean pending = config.after().entrySet().stream().anyMatch(e -> !ConfigValue.same(e.getKey(), e.getValue(),
                Optional.ofNullable(live.get(e.getKey())).map(JsonNode::asText)));
        return pending ? Optional.of(draining(cycle(config, live.path("name").asText(), made), live)) : Optional.empty();
    }

    /** The pods that are on its node now leave, unless those of the run were left there. */
    private VmPowerCycle draining(VmPowerCycle cycle, JsonNode live) throws TroubleException, InterruptedException {
        if (cycle.kubernetes().filter(node -> node.drain().isEmpty()).isPresent()) {
            return cycle;
        }
        String smbios = live.path("smbios1").asText();
        Optional<HostNodes> living = new HostNodesSurveyor(patience.clock()).survey(systems, cycle.node(), List.of(smbios));
        return cycle.with(living.flatMap(known -> Departure.ofVm(known, cycle.name(), cycle.vmid(), smbios).nodes().stream()
                .findFirst()));
    }

    private static VmPowerCycle cycle(VmConfigChange config, String name, List<ChangeRecord> made) {
        return made.stream().map(ChangeRecord::change).filter(VmPowerCycle.class::isInstance)
                .map(VmPowerCycle.class::cast)
                .filter(c -> c.node().equals(config.node()) && c.vmid() == config.vmid()).findFirst()
                .orElseGet(() -> new VmPowerCycle(config.node(), config.vmid(), name, SHUTDOWN, START));
    }
}
