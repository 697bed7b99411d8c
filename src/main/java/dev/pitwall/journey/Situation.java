package dev.pitwall.journey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.HostNodes;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.NodeSurvey;
import dev.pitwall.journey.survey.ProofSurvey;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.PropertyText;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that the steps of one card know.
 *
 * @param card    the card
 * @param choices what the person chose
 * @param host    its host, read just now
 * @param vm      the VM that is to have it, read just now; empty while none is chosen
 * @param datacenter what its Proxmox showed of itself; empty where no API answers
 * @param nodes   names of the cluster's nodes by SMBIOS UUID, lower case, in both byte orders; empty without a cluster
 * @param cluster what the site's cluster showed; empty for a site without one
 * @param node    the operating system of the node that has the card, or is to have it; empty while none can be asked
 * @param leftOut ids of the steps that the person has left out
 * @param proofs  what was tried with the card, and would be let in; empty where there is no cluster to try it in
 * @param hostNodes the nodes of the cluster that live on the host, with their pods; empty for a site without a cluster,
 *                  and where no step had to know
 * @param known   what was read beside the host and its datacenter
 */
public record Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm,
                        Optional<DatacenterSurvey> datacenter, Map<String, String> nodes,
                        Optional<ClusterSurvey> cluster, Optional<NodeSurvey> node, Set<String> leftOut,
                        Optional<ProofSurvey> proofs, Optional<HostNodes> hostNodes, Set<Survey> known) {

    /**
     * @param id   the card's id
     * @param name short product name
     * @param slot on its host, without a function
     */
    public record Subject(String id, String name, String host, PciAddress slot) {
    }

    public Situation {
        Objects.requireNonNull(card);
        Objects.requireNonNull(choices);
        Objects.requireNonNull(host);
        Objects.requireNonNull(vm);
        Objects.requireNonNull(datacenter);
        nodes = Map.copyOf(nodes);
        Objects.requireNonNull(cluster);
        Objects.requireNonNull(node);
        leftOut = Set.copyOf(leftOut);
        Objects.requireNonNull(proofs);
        Objects.requireNonNull(hostNodes);
        known = Set.copyOf(known);
    }

    /** Where nothing was asked about what lives on the host. */
    public Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm,
                     Optional<DatacenterSurvey> datacenter, Map<String, String> nodes,
                     Optional<ClusterSurvey> cluster, Optional<NodeSurvey> node, Set<String> leftOut,
                     Optional<ProofSurvey> proofs) {
        this(card, choices, host, vm, datacenter, nodes, cluster, node, leftOut, proofs, Optional.empty(), Set.of());
    }

    /** Where nothing was tried yet. */
    public Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm,
                     Optional<DatacenterSurvey> datacenter, Map<String, String> nodes,
                     Optional<ClusterSurvey> cluster, Optional<NodeSurvey> node, Set<String> leftOut) {
        this(card, choices, host, vm, datacenter, nodes, cluster, node, leftOut, Optional.empty());
    }

    /** Where no step is left out, and nothing of the cluster was read. */
    public Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm,
                     Optional<DatacenterSurvey> datacenter, Map<String, String> nodes) {
        this(card, choices, host, vm, datacenter, nodes, Optional.empty(), Optional.empty(), Set.of());
    }

    /** Where only the host matters. */
    public Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm) {
        this(card, choices, host, vm, Optional.empty(), Map.of());
    }

    /** The same, on a host that is read otherwise. */
    public Situation on(HostSurvey other) {
        return new Situation(card, choices, other, vm, datacenter, nodes, cluster, node, leftOut, proofs, hostNodes, known);
    }

    /** The same, with a VM that is read otherwise. */
    public Situation with(VmSurvey other) {
        return new Situation(card, choices, host, Optional.of(other), datacenter, nodes, cluster, node, leftOut, proofs, hostNodes, known);
    }

    /** The same, where no VM is to have the card. */
    public Situation withoutVm() {
        return new Situation(card, choices, host, Optional.empty(), datacenter, nodes, cluster, node, leftOut, proofs,
                hostNodes, known);
    }

    /** The same, in a datacenter that is read otherwise. */
    public Situation in(DatacenterSurvey other) {
        return new Situation(card, choices, host, vm, Optional.of(other), nodes, cluster, node, leftOut, proofs, hostNodes, known);
    }

    /** The same, with what was tried. */
    public Situation with(ProofSurvey tried) {
        return new Situation(card, choices, host, vm, datacenter, nodes, cluster, node, leftOut, Optional.of(tried),
                hostNodes, known);
    }

    /** The same, with what the cluster and the node showed. */
    public Situation with(Optional<ClusterSurvey> seen, Optional<NodeSurvey> inside) {
        return new Situation(card, choices, host, vm, datacenter, nodes, seen, inside, leftOut, proofs, hostNodes, known);
    }

    /** The same, with what lives on the host. */
    public Situation with(HostNodes living) {
        return new Situation(card, choices, host, vm, datacenter, nodes, cluster, node, leftOut, proofs,
                Optional.of(living), known).knowing(living.byUuid());
    }

    public boolean knows(Survey what) {
        return known.contains(what);
    }

    /** The same, where this was read. */
    public Situation reading(Survey what) {
        Set<Survey> more = new HashSet<>(known);
        more.add(what);
        return new Situation(card, choices, host, vm, datacenter, nodes, cluster, node, leftOut, proofs, hostNodes, more);
    }

    /** The same, where this has to be read anew; until then it is as it was. */
    public Situation forgetting(Set<Survey> what) {
        Set<Survey> rest = new HashSet<>(known);
        rest.removeAll(what);
        return new Situation(card, choices, host, vm, datacenter, nodes, cluster, node, leftOut, proofs, hostNodes, rest);
    }

    /** The same, with these steps left out. */
    public Situation leaving(Set<String> steps) {
        return new Situation(card, choices, host, vm, datacenter, nodes, cluster, node, steps, proofs, hostNodes, known);
    }

    /** The same, with other choices. */
    public Situation choosing(Choices other) {
        return new Situation(card, other, host, vm, datacenter, nodes, cluster, node, leftOut, Optional.empty(),
                hostNodes, known);
    }

    /** The same, with more nodes of the cluster known by SMBIOS UUID. */
    public Situation knowing(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(nodes);
        all.putAll(more);
        return new Situation(card, choices, host, vm, datacenter, all, cluster, node, leftOut, proofs, hostNodes, known);
    }

    /**
     * The name in the cluster of the node that has the card or is to have it: that of its VM by SMBIOS UUID, of a bare
     * machine that of the machine; empty where the cluster has no such node.
     */
    public Optional<String> nodeName() {
        if (host.proxmox().isEmpty()) {
            return nodes.containsValue(card.host()) ? Optional.of(card.host()) : Optional.empty();
        }
        return vm.flatMap(v -> nodeOf(v.config()));
    }

    /** The node that is the VM of this configuration: joined by SMBIOS UUID, never by name. */
    public Optional<String> nodeOf(Map<String, String> config) {
        return Optional.ofNullable(config.get("smbios1")).flatMap(PropertyText::smbiosUuid)
                .flatMap(uuid -> Optional.ofNullable(nodes.get(uuid.toLowerCase(Locale.ROOT))));
    }
}
