package dev.pitwall.journey.guest;

import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.read.PropertyText;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Which VM is to have the card: the one that the person chose, else the one that is configured with it. */
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
            case "" -> holders(situation).stream().findFirst();
            case "new" -> NewVm.made(situation);
            default -> situation.host().guests().stream().filter(g -> isVm(g)
                    && situation.choices().number("vm").equals(OptionalInt.of(g.id()))).findFirst();
        };
        return guest.map(g -> OptionalInt.of(g.id())).orElse(OptionalInt.empty());
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

    /** The Kubernetes node in a VM: joined by SMBIOS UUID, never by name. */
    static Optional<String> node(Situation situation, Guest guest) {
        return Optional.ofNullable(guest.config().get("smbios1")).flatMap(PropertyText::smbiosUuid)
                .flatMap(uuid -> Optional.ofNullable(situation.nodes().get(uuid)));
    }

    static boolean isVm(Guest guest) {
        return guest.type().equals("qemu") && !isTemplate(guest);
    }

    static boolean isTemplate(Guest guest) {
        return guest.config().getOrDefault("template", "0").equals("1");
    }
}
