package dev.pitwall.ui.setup;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Reading;
import dev.pitwall.journey.Situation;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A card that can be chosen.
 *
 * @param size    its memory, for example {@code 8 GB}; may be empty
 * @param place   host, slot and IOMMU group
 * @param vm      the VM it is attached to now
 * @param node    the Kubernetes node that has it now
 * @param subject what the wizard calls it; empty for a card that only a cluster knows, which has no host to set up
 */
record CardEntry(String id, String name, String size, String host, String place, OptionalInt vm,
                 Optional<String> node, Optional<Situation.Subject> subject) {

    private static final String GROUP = "IOMMU group";
    private static final long MIB_A_GB = 1024;

    static CardEntry of(Card card, Texts texts) {
        List<String> place = new ArrayList<>(List.of(card.host()));
        card.address().map(PciAddress::slot).map(PciAddress::toString).ifPresent(place::add);
        group(card).map(group -> texts.get("setup.group", group)).ifPresent(place::add);
        String size = card.vramMiB().isPresent()
                ? texts.get("garage.size", Math.round((double) card.vramMiB().getAsLong() / MIB_A_GB)) : "";
        return new CardEntry(card.id(), card.name(), size, card.host(), String.join(" · ", place),
                card.vm().map(v -> OptionalInt.of(v.vmid())).orElse(OptionalInt.empty()), card.node(),
                card.address().map(slot -> new Situation.Subject(card.id(), card.name(), card.host(), slot.slot())));
    }

    private static Optional<String> group(Card card) {
        return List.of(Floor.FIRMWARE, Floor.VFIO).stream().flatMap(f -> card.floor(f).readings().stream())
                .filter(r -> r.name().equals(GROUP)).map(Reading::value).flatMap(Optional::stream)
                .filter(v -> v.matches("\\d+")).findFirst();
    }
}
