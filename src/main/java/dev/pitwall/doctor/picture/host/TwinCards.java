package dev.pitwall.doctor.picture.host;

import dev.pitwall.card.PciFunction;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.PciListing;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Equal cards of one host of which not all are on vfio-pci: ids cannot tell them apart (facts: proxmox.md 2.3). */
public final class TwinCards implements Check {

    @Override
    public void look(Picture picture, SignBook book) {
        Set<String> ids = HostCards.idsForVfio(picture);
        for (Seen<PciListing> listing : picture.outputs(PciListing.class)) {
            Map<String, List<PciFunction>> byId = listing.what().devices().stream().filter(HostCards::isCard)
                    .filter(f -> f.vendorDevice().isPresent())
                    .collect(Collectors.groupingBy(f -> f.vendorDevice().orElseThrow()));
            byId.forEach((id, cards) -> look(id, cards, ids.contains(id), listing, book));
        }
    }

    private static void look(String id, List<PciFunction> cards, boolean boundById, Seen<?> seen, SignBook book) {
        long places = cards.stream().map(PciFunction::address).distinct().count();
        long vfio = cards.stream().filter(c -> c.driver().filter("vfio-pci"::equals).isPresent()).count();
        long other = cards.stream().filter(c -> c.driver().filter(d -> !d.equals("vfio-pci")).isPresent()).count();
        if (places < 2 || other == 0) {
            return;
        }
        Map<String, String> values = Map.of("ids", id);
        if (vfio > 0) {
            new Remark("twins-part", "of " + places + " cards with the ids " + id + " some are on vfio-pci and some are not",
                    values).in(book, seen, drivers(cards, seen));
        } else if (boundById) {
            new Remark("twins-by-id", places + " cards have the ids " + id + ", which the kernel's command line binds",
                    values).in(book, seen, drivers(cards, seen));
        }
    }

    private static Excerpt drivers(List<PciFunction> cards, Seen<?> seen) {
        return seen.shown(cards.stream().flatMap(c -> Stream.of(HostCards.brief(c.address()), "Kernel driver in use")).toList());
    }
}
