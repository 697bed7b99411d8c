package dev.pitwall.doctor.picture.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.VmReport.Passthrough;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.VmConfig;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether a VM has all functions of its card, and as one device (facts: proxmox.md 1.8). */
public final class AttachedFunctions implements Check {

    @Override
    public void look(Picture picture, SignBook book) {
        Collection<PciFunction> listed = HostCards.listed(picture).values();
        for (Seen<VmConfig> vm : picture.outputs(VmConfig.class)) {
            Map<PciAddress, List<PciAddress>> bySlot = vm.what().passthrough().stream()
                    .map(Passthrough::addresses).flatMap(List::stream)
                    .collect(Collectors.groupingBy(PciAddress::slot));
            bySlot.forEach((slot, attached) -> look(slot, attached, listed, vm, picture, book));
        }
    }

    private static void look(PciAddress slot, List<PciAddress> attached, Collection<PciFunction> listed, Seen<?> seen,
                             Picture picture, SignBook book) {
        if (attached.contains(slot)) {
            return;
        }
        Set<PciAddress> missing = listed.stream().map(PciFunction::address).filter(a -> a.sameSlot(slot))
                .filter(a -> !attached.contains(a)).collect(Collectors.toSet());
        boolean card = listed.stream().anyMatch(f -> f.address().sameSlot(slot) && HostCards.isCard(f));
        if (card && !missing.isEmpty()) {
            new Remark("only-some-functions", "the VM has " + attached + " and not " + missing).in(book, seen,
                    Stream.concat(Stream.of(seen.shown("hostpci")), HostCards.lines(picture, missing)).toArray(Excerpt[]::new));
        } else if (attached.size() > 1) {
            new Remark("functions-in-entries", attached + " are separate entries of the VM").in(book, seen,
                    seen.shown(attached.stream().map(PciAddress::toString).toList()));
        }
    }
}
