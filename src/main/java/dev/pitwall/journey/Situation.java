package dev.pitwall.journey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.VmSurvey;

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
 * @param leftOut ids of the steps that the person has left out
 */
public record Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm,
                        Optional<DatacenterSurvey> datacenter, Map<String, String> nodes, Set<String> leftOut) {

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
        leftOut = Set.copyOf(leftOut);
    }

    /** Where no step is left out. */
    public Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm,
                     Optional<DatacenterSurvey> datacenter, Map<String, String> nodes) {
        this(card, choices, host, vm, datacenter, nodes, Set.of());
    }

    /** Where only the host matters. */
    public Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm) {
        this(card, choices, host, vm, Optional.empty(), Map.of());
    }

    /** The same, on a host that is read otherwise. */
    public Situation on(HostSurvey other) {
        return new Situation(card, choices, other, vm, datacenter, nodes, leftOut);
    }

    /** The same, with a VM that is read otherwise. */
    public Situation with(VmSurvey other) {
        return new Situation(card, choices, host, Optional.of(other), datacenter, nodes, leftOut);
    }

    /** The same, in a datacenter that is read otherwise. */
    public Situation in(DatacenterSurvey other) {
        return new Situation(card, choices, host, vm, Optional.of(other), nodes, leftOut);
    }

    /** The same, with these steps left out. */
    public Situation leaving(Set<String> steps) {
        return new Situation(card, choices, host, vm, datacenter, nodes, steps);
    }
}
