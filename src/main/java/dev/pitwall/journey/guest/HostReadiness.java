package dev.pitwall.journey.guest;

import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.CardGroup;
import dev.pitwall.journey.survey.HostSurvey;

import java.util.Optional;

/** Whether the host is ready to hand the card over. */
final class HostReadiness {
    private HostReadiness() {
    }

    /** The id of the host's step that is to be done first; empty if the card can go to a VM. */
    static Optional<String> waitsFor(Situation situation) {
        HostSurvey host = situation.host();
        if (!host.virtualization() || !host.iommuOn()) {
            return Optional.of("iommu");
        }
        if (!new CardGroup(host, situation.card().slot()).clean()) {
            return Optional.of("group");
        }
        return host.slot(situation.card().slot()).stream().allMatch(HostReadiness::free) ? Optional.empty()
                : Optional.of("bind");
    }

    /** A function that no driver has is bound by Proxmox itself when the VM starts (facts 1.8). */
    private static boolean free(PciFunction function) {
        return function.driver().filter(driver -> !driver.equals("vfio-pci")).isEmpty();
    }
}
