package dev.pitwall.journey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.VmSurvey;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that the steps of one card know.
 *
 * @param card    the card
 * @param choices what the person chose
 * @param host    its host, read just now
 * @param vm      the VM that is to have it, read just now; empty while none is chosen
 * @param datacenter what its Proxmox showed of itself; empty where no API answers
 * @param nodes   names of the cluster's nodes by SMBIOS UUID, lower case, in both byte orders; empty without a cluster
 */
public record Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm,
                        Optional<DatacenterSurvey> datacenter, Map<String, String> nodes) {

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
    }

    /** Where only the host matters. */
    public Situation(Subject card, Choices choices, HostSurvey host, Optional<VmSurvey> vm) {
        this(card, choices, host, vm, Optional.empty(), Map.of());
    }

    /** The same, on a host that is read otherwise. */
    public Situation on(HostSurvey other) {
        return new Situation(card, choices, other, vm, datacenter, nodes);
    }
}
