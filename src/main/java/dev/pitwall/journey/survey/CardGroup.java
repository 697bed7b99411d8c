package dev.pitwall.journey.survey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The IOMMU groups that a card is in, and who else is there. Proxmox takes every device of them from the host when the
 * VM starts, bridges to other devices left out, whether or not the VM names it (facts: proxmox.md 1.8, 2.4).
 */
public final class CardGroup {
    /** Root ports and host bridges are never bound to vfio-pci, so they are welcome in a group. */
    private static final Set<String> STAYS = Set.of("0604", "0600");

    /** Classes of the functions of graphics cards: display, sound, USB and its controller. */
    private static final List<String> OF_CARDS = List.of("03", "0403", "0c03", "0c80");
    private static final List<String> OF_GRAPHICS = List.of("03", "0403");

    private final HostSurvey host;
    private final PciAddress slot;
    private final List<PciFunction> functions;

    /** Whose a function of the group is. */
    public enum Part {
        /** A function of the card. */
        CARD,
        /** A bridge that stays on the host. */
        BRIDGE,
        /** The host would lose it. */
        OTHER
    }

    /** @param slot of the card, without a function */
    public CardGroup(HostSurvey host, PciAddress slot) {
        this.host = host;
        this.slot = slot;
        this.functions = host.slot(slot);
    }

    /** Numbers of the groups, in order; usually one. */
    public List<Integer> numbers() {
        return functions.stream().map(f -> host.group(f.address())).filter(OptionalInt::isPresent)
                .map(OptionalInt::getAsInt).distinct().sorted().toList();
    }

    /** True if every function of the card has a group: without one nothing is known of its neighbours. */
    public boolean known() {
        return !functions.isEmpty() && functions.stream().allMatch(f -> host.group(f.address()).isPresent());
    }

    /** The functions of one group that play a part, by their addresses. */
    public List<PciFunction> members(int group, Part part) {
        return host.functions().stream().filter(f -> host.group(f.address()).equals(OptionalInt.of(group)))
                .filter(f -> part(f) == part).sorted(Comparator.comparing(PciFunction::address)).toList();
    }

    /** What the host would lose besides the card, by their addresses. */
    public List<PciFunction> others() {
        return numbers().stream().flatMap(group -> members(group, Part.OTHER).stream())
                .sorted(Comparator.comparing(PciFunction::address)).toList();
    }

    /** True if the host loses nothing but the card. */
    public boolean clean() {
        return known() && others().isEmpty();
    }

    /**
     * A slot with functions that no graphics card has is a part of the processor: of it only graphics and sound are the
     * card's, and the rest, such as a security processor, the host's.
     */
    private Part part(PciFunction function) {
        boolean own = function.address().sameSlot(slot)
                && (functions.stream().allMatch(f -> hasClass(f, OF_CARDS)) || hasClass(function, OF_GRAPHICS));
        return own ? Part.CARD : function.classCode().filter(STAYS::contains).isPresent() ? Part.BRIDGE : Part.OTHER;
    }

    private static boolean hasClass(PciFunction function, List<String> beginnings) {
        return function.classCode().map(c -> beginnings.stream().anyMatch(c::startsWith)).orElse(true);
    }
}
