package dev.pitwall.doctor.picture.host;

import dev.pitwall.card.PciAddress;
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
import java.util.stream.Stream;

/**
 * A function that is meant for a VM and has a driver of the host: the VM's configuration names its slot, the kernel's command
 * line gives its ids to vfio-pci, or other functions of the same card are on vfio-pci already (facts: proxmox.md 2.3).
 */
public final class CardOnHost implements Check {
    private static final String VFIO = "vfio-pci";

    @Override
    public void look(Picture picture, SignBook book) {
        Set<PciAddress> slots = HostCards.attachedSlots(picture);
        Set<String> ids = HostCards.idsForVfio(picture);
        for (Seen<PciListing> listing : picture.outputs(PciListing.class)) {
            List<PciFunction> functions = listing.what().devices();
            functions.stream().filter(f -> onHost(f) && ofCard(f, functions))
                    .filter(f -> slots.contains(f.address().slot()) || f.vendorDevice().filter(ids::contains).isPresent()
                            || halfBound(f, functions))
                    .forEach(f -> remark(f).in(book, listing, Stream.concat(HostCards.wishes(picture, f), Stream.of(
                            listing.shown(HostCards.brief(f.address()), "Kernel driver in use"))).toArray(Excerpt[]::new)));
        }
    }

    private static boolean onHost(PciFunction function) {
        return function.driver().filter(d -> !d.equals(VFIO)).isPresent() && !HostCards.isBridge(function);
    }

    private static boolean ofCard(PciFunction function, List<PciFunction> all) {
        return all.stream().anyMatch(f -> HostCards.isCard(f) && f.address().sameSlot(function.address()));
    }

    private static boolean halfBound(PciFunction function, List<PciFunction> all) {
        return all.stream().anyMatch(f -> f.address().sameSlot(function.address())
                && f.driver().filter(VFIO::equals).isPresent());
    }

    private static Remark remark(PciFunction function) {
        String driver = function.driver().orElse("");
        return new Remark("card-held-on-host", function.address() + " is on " + driver + ", not on vfio-pci",
                Map.of("driver", driver, "address", function.address().toString()));
    }
}
