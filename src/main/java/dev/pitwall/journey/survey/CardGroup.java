package dev.pitwall.journey.survey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;

import java.util.List;
import java.util.OptionalInt;

/**
 * The IOMMU groups that a card is in, and who else is there. Proxmox takes every device of them from the host when the VM
 * starts, bridges left out (facts 1.8).
 *
 * @param groups numbers, usually one
 * @param others functions of other slots in those groups, bridges left out
 */
public record CardGroup(List<Integer> groups, List<PciFunction> others) {

    public static CardGroup of(HostSurvey host, PciAddress slot) {
        List<Integer> groups = host.slot(slot).stream().map(f -> host.group(f.address())).filter(OptionalInt::isPresent)
                .map(OptionalInt::getAsInt).distinct().sorted().toList();
        return new CardGroup(groups, host.functions().stream().filter(f -> !f.address().sameSlot(slot) && !f.isBridge())
                .filter(f -> host.group(f.address()).stream().anyMatch(groups::contains)).toList());
    }

    /** True if the host loses nothing but the card. */
    public boolean clean() {
        return !groups.isEmpty() && others.isEmpty();
    }
}
