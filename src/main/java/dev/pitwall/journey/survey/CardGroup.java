package dev.pitwall.journey.survey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The IOMMU groups that a card is in, and who else is there. Proxmox takes every device of them from the host when the VM
 * starts, bridges to other devices left out (facts 1.8).
 *
 * @param groups numbers, usually one
 * @param others functions of other slots in those groups, bridges to other devices left out
 */
public record CardGroup(List<Integer> groups, List<PciFunction> others) {
    /** Root ports and host bridges are never bound to vfio-pci, so they are welcome in a group. */
    private static final Set<String> STAYS = Set.of("0604", "0600");

    public static CardGroup of(HostSurvey host, PciAddress slot) {
        List<Integer> groups = host.slot(slot).stream().map(f -> host.group(f.address())).filter(OptionalInt::isPresent)
                .map(OptionalInt::getAsInt).distinct().sorted().toList();
        return new CardGroup(groups, host.functions().stream().filter(f -> !f.address().sameSlot(slot) && !stays(f))
                .filter(f -> host.group(f.address()).stream().anyMatch(groups::contains)).toList());
    }

    private static boolean stays(PciFunction function) {
        return function.classCode().filter(STAYS::contains).isPresent();
    }

    /** True if the host loses nothing but the card. */
    public boolean clean() {
        return !groups.isEmpty() && others.isEmpty();
    }
}
