package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import dev.pitwall.journey.run.Emptying.Comes;
import dev.pitwall.site.Supply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import java.util.Optional;

/** Finds the way in which a change is made. */
final class Makings {
    private final Systems systems;
    private final Patience patience;

    Makings(Systems systems, Patience patience) {
        this.systems = systems;
        this.patience = patience;
    }

    /** For a change that is only judged, or of a run that keeps no copies. */
    Making of(Change change) throws TroubleException, InterruptedException {
        return of(change, "");
    }

    /** @param copies the folder of a host under which a file is copied before it changes; empty text for no copy */
    Making of(Change change, String copies) throws TroubleException, InterruptedException {
        return switch (change) {
            case FileChange c ->
                    new FileMaking(c, systems.machine(c.host()), copies.isEmpty() ? "" : copies + c.path());
            case CommandChange c -> new CommandMaking(c, systems.machine(c.host()), patience);
            case VmConfigChange c -> new VmConfigMaking(c, systems.proxmox(c.node()));
            case VmCreation c -> new VmCreationMaking(c, systems.proxmox(c.node()));
            case VmRemoval c -> new VmRemovalMaking(c, systems.proxmox(c.node()));
            case MappingChange c -> new MappingMaking(c, systems.proxmox(c.node()));
            case ManifestChange c -> new ManifestMaking(c, cluster(c.cluster()), patience);
            case HelmChange c -> new HelmMaking(c, helm(c.cluster()), cluster(c.cluster()), repositories(), patience);
            case PodRun c -> new PodRunMaking(c, cluster(c.cluster()), patience);
            case TalosUpgrade c -> new TalosUpgradeMaking(c, talos(c.node()), factory(c.factory()), emptying(c.drain()), patience);
            case TalosConfigChange c -> new TalosConfigMaking(c, talos(c.node()));
            case ModelChange c -> new ModelMaking(c, cluster(c.cluster()), patience);
            case ModelAsk c -> new ModelAskMaking(c, cluster(c.cluster()), patience);
            case PodRestart c -> new PodRestartMaking(c, cluster(c.cluster()), patience);
            case PackageChange c -> packages(c);
            case NodeReboot c -> new NodeRebootMaking(c, new HostWays(c.machine(), systems, patience), emptying(c.drain()),
                    patience);
            case HostReboot c -> new HostRebootMaking(c, new HostWays(c.host(), systems, patience),
                    ofHost(c), patience);
            case VmPowerCycle c -> new VmPowerCycleMaking(c, systems.proxmox(c.node()),
                    emptying(c.kubernetes().flatMap(NodeDown::drain)), patience);
        };
    }

    /** Also tells what a change of packages has really made. */
    PackageMaking packages(PackageChange change) throws TroubleException {
        return new PackageMaking(change, systems.machine(change.machine()), patience);
    }

    private Emptying emptying(Optional<Drain> drain) throws TroubleException, InterruptedException {
        return new Emptying(drain.isEmpty() ? List.of() : List.of(node(drain.get(), Comes.WITH_MACHINE)));
    }

    private Emptying.Node node(Drain drain, Comes comes) throws TroubleException, InterruptedException {
        return new Emptying.Node(new NodeDrain(drain, cluster(drain.cluster()), patience), comes);
    }

    private Emptying ofHost(HostReboot reboot) throws TroubleException, InterruptedException {
        List<Emptying.Node> all = new ArrayList<>();
        for (NodeDown node : reboot.nodes()) {
            Comes comes = node.vmid() == NodeDown.MACHINE || reboot.stops().stream()
                    .anyMatch(g -> g.id() == node.vmid() && g.onboot()) ? Comes.WITH_MACHINE : Comes.LATER;
            if (node.drain().isPresent()) {
                all.add(node(node.drain().get(), comes));
            }
        }
        return new Emptying(all);
    }

    private Talos talos(String node) throws TroubleException, InterruptedException {
        return systems.talos().orElseThrow(() -> Refusal.missing(node, "the site no longer has a way to Talos",
                "Give the site its talosconfig again."));
    }

    private ImageFactory factory(String address) throws TroubleException {
        return systems.imageFactory().orElseThrow(() -> Refusal.missing(address, "the site no longer has this Image Factory",
                "Give the site its talosconfig again."));
    }

    private Cluster cluster(String name) throws TroubleException, InterruptedException {
        return systems.cluster().filter(c -> c.name().equals(name)).orElseThrow(() -> Refusal.missing(name,
                "the site no longer has this cluster", "Give the site its cluster again."));
    }

    private List<String> repositories() {
        return Arrays.stream(Supply.values()).map(systems::address).toList();
    }

    private Helm helm(String cluster) throws TroubleException, InterruptedException {
        return systems.helm().orElseThrow(() -> Refusal.missing(cluster, "the site no longer has this cluster",
                "Give the site its cluster again."));
    }
}
