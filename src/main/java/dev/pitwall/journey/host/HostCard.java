package dev.pitwall.journey.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.read.PropertyText;

import java.util.List;
import java.util.Optional;

/** A card on its host, as the steps of the host look at it. */
final class HostCard {
    /** Revision of a function whose configuration space reads as ones: it no longer answers (facts: proxmox.md 5.3). */
    private static final String DEAD = "ff";

    private final Situation situation;
    private final List<PciFunction> functions;

    HostCard(Situation situation) {
        this.situation = situation;
        this.functions = situation.host().slot(slot(situation));
    }

    private static PciAddress slot(Situation situation) {
        return situation.card().slot();
    }

    HostSurvey host() {
        return situation.host();
    }

    Choices choices() {
        return situation.choices();
    }

    PciAddress slot() {
        return slot(situation);
    }

    /** The reboot that would end a step on it. */
    HostRestart restart(WorkTimes times, Sentences texts) {
        return new HostRestart(situation, times, texts);
    }

    /** All functions of the slot, in order. */
    List<PciFunction> functions() {
        return functions;
    }

    boolean dead() {
        return functions.stream().anyMatch(f -> f.revision().filter(DEAD::equals).isPresent());
    }

    /** True if the firmware's console is on it. */
    boolean bootDisplay() {
        return functions.stream().anyMatch(HostCard.this::isBootVga);
    }

    private boolean isBootVga(PciFunction function) {
        return state(function).flatMap(HostSurvey.FunctionState::bootVga).orElse(false);
    }

    Optional<HostSurvey.FunctionState> state(PciFunction function) {
        return Optional.ofNullable(host().states().get(function.address()));
    }

    /** The VM that the person wants the card to go to. */
    Optional<Integer> chosenVm() {
        return situation.vm().map(vm -> vm.vmid()).or(() -> {
            var number = choices().number("vm");
            return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
        });
    }

    /** True if a PCI mapping of the datacenter has an entry for this card. */
    boolean isMapped(String mapping) {
        return situation.datacenter().flatMap(DatacenterSurvey::mappings).stream()
                .flatMap(all -> all.getOrDefault(mapping, List.of()).stream()).map(PropertyText::mapping)
                .filter(entry -> entry.node().equals(host().host()))
                .flatMap(entry -> entry.entry().paths().stream()).anyMatch(slot()::sameSlot);
    }

    /** True if the host itself is to run the workload, so that it keeps the card. */
    boolean staysWithHost() {
        return choices().get("path").filter("bare-metal"::equals).isPresent();
    }

    /** A file that decides and may not be read: taken for absent it would lead to a wrong plan. */
    private Optional<String> unreadable() {
        String file = Showing.FILE.of("");
        return host().shown().keySet().stream().filter(k -> k.startsWith(file)).map(k -> k.substring(file.length()))
                .sorted().findFirst();
    }

    /** The answer of every host step where there is nothing for it to do, or nothing to rest on. */
    Optional<Answer> outOfReach(Sentences texts) {
        if (host().proxmox().isEmpty()) {
            return Optional.of(Answer.of(Answer.State.NOT_APPLICABLE, texts.say("noProxmox", host().host()), List.of()));
        }
        if (staysWithHost()) {
            return Optional.of(Answer.of(Answer.State.NOT_APPLICABLE, texts.say("metal"), List.of()));
        }
        Optional<String> unreadable = unreadable();
        if (unreadable.isPresent()) {
            return Optional.of(Answer.of(Answer.State.UNKNOWN,
                    texts.say("unreadable", unreadable.get(), host().host()), List.of()));
        }
        return functions.isEmpty() ? Optional.of(Answer.of(Answer.State.UNKNOWN,
                texts.say("noFunctions", slot(), host().host()), List.of())) : Optional.empty();
    }
}
