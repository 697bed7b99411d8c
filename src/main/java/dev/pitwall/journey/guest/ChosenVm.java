package dev.pitwall.journey.guest;

import dev.pitwall.journey.Situation;
import dev.pitwall.journey.guest.PresetVm.Pick;
import dev.pitwall.journey.survey.HostSurvey.Guest;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which VM is to have the card: the one that the person chose, else the one that is configured with it, else the one that
 * {@link PresetVm} takes.
 */
public final class ChosenVm {
    private ChosenVm() {
    }

    /**
     * The VM to look at. {@link Situation#vm()} does not matter here, so this can be asked to know which VM to read.
     *
     * @return empty if none is chosen, or the choice names no VM of this host
     */
    public static OptionalInt of(Situation situation) {
        Optional<Guest> guest = switch (situation.choices().get("vm").orElse("")) {
            case "" -> holder(situation).or(() -> unchosen(situation));
            case "new" -> NewVm.made(situation);
            default -> situation.host().guests().stream().filter(g -> isVm(g)
                    && situation.choices().number("vm").equals(OptionalInt.of(g.id()))).findFirst();
        };
        return guest.map(g -> OptionalInt.of(g.id())).orElse(OptionalInt.empty());
    }

    /**
     * True if only the nodes of the cluster can tell: nobody has chosen, and no VM that runs or is a node is configured with
     * the card.
     */
    public static boolean restsOnNodes(Situation situation) {
        return situation.host().proxmox().isPresent() && situation.choices().get("vm").orElse("").isEmpty()
                && situation.choices().get("path").filter(VmStep.METAL::equals).isEmpty() && holder(situation).isEmpty();
    }

    /** The VM that has the card in earnest: one that is off and no node may only take it now and then. */
    private static Optional<Guest> holder(Situation situation) {
        return holders(situation).stream().filter(g -> g.running() || node(situation, g).isPresent()).findFirst();
    }

    private static Optional<Guest> unchosen(Situation situation) {
        return switch (preset(situation)) {
            case Pick.Taken taken -> Optional.of(taken.candidate().vm());
            case Pick.Several several -> Optional.empty();
            case Pick.Nobody nobody -> holders(situation).stream().findFirst();
        };
    }

    /** What the nodes tell where they decide. Where a VM is configured with the card, another has to be marked for it. */
    static Pick preset(Situation situation) {
        PresetVm preset = new PresetVm(situation);
        return !restsOnNodes(situation) ? new Pick.Nobody()
                : holders(situation).isEmpty() ? preset.pick() : preset.marked().orElseGet(Pick.Nobody::new);
    }

    /** The VMs that are configured with the card: nodes of the cluster first, then those that run. */
    static List<Guest> holders(Situation situation) {
        CardEntries entries = new CardEntries(situation);
        return situation.host().guests().stream().filter(ChosenVm::isVm)
                .filter(g -> !entries.of(g.config()).isEmpty())
                .sorted(Comparator.comparing((Guest g) -> node(situation, g).isEmpty()).thenComparing(g -> !g.running())
                        .thenComparing(Guest::id)).toList();
    }

    /** The VMs other than one that are configured with the card. */
    static List<Guest> others(Situation situation, int vmid) {
        return holders(situation).stream().filter(g -> g.id() != vmid).toList();
    }

    /** The Kubernetes node in a VM. */
    static Optional<String> node(Situation situation, Guest guest) {
        return situation.nodeOf(guest.config());
    }

    static boolean isVm(Guest guest) {
        return guest.type().equals("qemu") && !isTemplate(guest);
    }

    static boolean isTemplate(Guest guest) {
        return guest.config().getOrDefault("template", "0").equals("1");
    }
}
