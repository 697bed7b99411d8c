package dev.pitwall;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Survey;
import dev.pitwall.journey.Surveys;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.guest.ChosenVm;
import dev.pitwall.journey.node.DriverPackages;
import dev.pitwall.journey.operator.OperatorCharts;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurveyor;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.DatacenterSurveyor;
import dev.pitwall.journey.survey.HostNodesSurveyor;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.HostSurveyor;
import dev.pitwall.journey.survey.NodeSurvey;
import dev.pitwall.journey.survey.NodeSurveyor;
import dev.pitwall.journey.survey.TalosSurveyor;
import dev.pitwall.journey.survey.VmSurveyor;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/** Reads a card's host, its datacenter, the VM that is to have the card, the cluster, and the node's inside. */
final class CardSurveys implements Surveys {
    private final HostSurveyor hosts;
    private final DatacenterSurveyor datacenters;
    private final HostNodesSurveyor hostNodes;
    private final VmSurveyor vms;
    private final ClusterSurveyor clusters;
    private final NodeSurveyor shells;
    private final TalosSurveyor talosNodes;
    private final Supplier<Map<String, String>> nodes;

    /** @param nodes the cluster's nodes by SMBIOS UUID, as they are known now */
    CardSurveys(InstantSource clock, Supplier<Map<String, String>> nodes) {
        this.nodes = nodes;
        this.hosts = new HostSurveyor(clock);
        this.datacenters = new DatacenterSurveyor(clock);
        this.hostNodes = new HostNodesSurveyor(clock);
        this.vms = new VmSurveyor(clock);
        this.clusters = new ClusterSurveyor(clock);
        this.shells = new NodeSurveyor(clock, new DriverPackages());
        this.talosNodes = new TalosSurveyor(clock);
    }

    @Override
    public Situation read(Systems systems, Situation.Subject card, Choices choices)
            throws TroubleException, InterruptedException {
        HostSurvey host = hosts.survey(systems, card.host());
        return new Situation(card, choices, host, Optional.empty(), datacenter(systems, card.host()), nodes.get());
    }

    @Override
    public Situation more(Systems systems, Situation known, Survey what) throws TroubleException, InterruptedException {
        Situation read = switch (what) {
            case HOST_NODES -> hostNodes.survey(systems, known.host()).map(known::with).orElse(known);
            case VM -> withVm(systems, known);
            case CLUSTER -> withCluster(systems, with(systems, known, Survey.VM));
            case NODE -> inside(systems, known);
            case PROOFS, SITE -> known;
        };
        return read.reading(what);
    }

    private Situation with(Systems systems, Situation known, Survey what) throws TroubleException, InterruptedException {
        return known.knows(what) ? known : more(systems, known, what);
    }

    /** Where nobody has chosen a VM the nodes may tell which is meant. */
    private Situation withVm(Systems systems, Situation known) throws TroubleException, InterruptedException {
        Situation open = ChosenVm.restsOnNodes(known) ? with(systems, known, Survey.HOST_NODES) : known;
        OptionalInt vmid = ChosenVm.of(open);
        return vmid.isEmpty() ? open.withoutVm() : open.with(vms.survey(systems, open.card().host(), vmid.getAsInt()));
    }

    /** A site may have no cluster. What the cluster itself says of its nodes is newer than what was known. */
    private Situation withCluster(Systems systems, Situation below) throws TroubleException, InterruptedException {
        Optional<Cluster> cluster = systems.cluster();
        if (cluster.isEmpty()) {
            return below;
        }
        ClusterSurveyor.Place place = new ClusterSurveyor.Place(seen -> below.knowing(seen).nodeName(), Set.of());
        ClusterSurvey survey = clusters.survey(cluster.get(), systems.helm(), place,
                new OperatorCharts(below), systems::address);
        return below.knowing(survey.nodesByUuid()).with(Optional.of(survey), below.node());
    }

    /** The operating system of the node that has the card, or is to have it. */
    private Situation inside(Systems systems, Situation known) throws TroubleException, InterruptedException {
        Situation withVm = with(systems, known, Survey.VM);
        Situation below = withVm.knows(Survey.CLUSTER) ? withVm : with(systems, withVm, Survey.HOST_NODES);
        Optional<String> name = below.nodeName();
        Optional<NodeSurvey> talos = name.isEmpty() ? Optional.empty() : talosNodes.survey(systems, name.get(),
                below.cluster().flatMap(c -> c.node(name.get()))
                        .or(() -> below.hostNodes().flatMap(nodes -> nodes.node(name.get()))));
        Optional<NodeSurvey> inside = talos.isPresent() ? talos
                : shells.survey(systems, below).map(node -> (NodeSurvey) node);
        return below.with(below.cluster(), inside);
    }

    /** A bare machine has none. */
    private Optional<DatacenterSurvey> datacenter(Systems systems, String host)
            throws TroubleException, InterruptedException {
        Proxmox api;
        try {
            api = systems.proxmox(host);
        } catch (TroubleException e) {
            if (e.trouble().kind() == Trouble.Kind.MISSING) {
                return Optional.empty();
            }
            throw e;
        }
        return Optional.of(datacenters.read(api, host));
    }
}
