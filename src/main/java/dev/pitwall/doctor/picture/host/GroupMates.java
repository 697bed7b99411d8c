package dev.pitwall.doctor.picture.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.IommuGroups;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What shares a card's IOMMU group. Functions of the card's own slot and bridges belong there; anything else would leave the
 * host with the card (facts: proxmox.md 2.4). A card with USB and serial functions has more to bind than graphics and sound,
 * which is a weak hint where a listing shows no drivers.
 */
public final class GroupMates implements Check {
    /** USB and serial bus controllers, by class and by name. */
    private static final Set<String> FURTHER = Set.of("0c03", "0c80");

    @Override
    public void look(Picture picture, SignBook book) {
        Map<PciAddress, PciFunction> listed = HostCards.listed(picture);
        for (Seen<IommuGroups> groups : picture.outputs(IommuGroups.class)) {
            groups.what().groups().forEach(group -> look(group, HostCards.members(group, listed), groups, book));
        }
    }

    private static void look(IommuGroups.Group group, List<PciFunction> members, Seen<?> seen, SignBook book) {
        for (PciFunction card : members.stream().filter(HostCards::isCard).toList()) {
            members.stream().filter(m -> !m.address().sameSlot(card.address()) && !HostCards.isBridge(m)
                            && !HostCards.isCard(m) && (m.classCode().isPresent() || m.className().isPresent()))
                    .findFirst().ifPresent(m -> new Remark("group-shared", "group " + group.group() + " holds "
                            + m.address() + " " + m.className().orElse("device") + " beside the card",
                            Map.of("group", String.valueOf(group.group()), "device", m.address().toString()))
                            .in(book, seen, seen.shown(HostCards.brief(card.address()), HostCards.brief(m.address()))));
            members.stream().filter(m -> m.address().sameSlot(card.address()) && further(m) && m.driver().isEmpty())
                    .findFirst().ifPresent(m -> new Remark("group-many-functions", "the card has the function "
                            + m.address() + " " + m.className().orElse("") + " as well; its driver is not shown",
                            Map.of("group", String.valueOf(group.group()))).in(book, seen,
                            seen.shown(HostCards.brief(m.address()))));
        }
    }

    private static boolean further(PciFunction function) {
        return function.classCode().filter(FURTHER::contains).isPresent()
                || function.className().filter(c -> c.startsWith("USB") || c.startsWith("Serial bus")).isPresent();
    }
}
