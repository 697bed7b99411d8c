package dev.pitwall.journey.guest;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.HostSurvey.Guest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What it costs to give the card to a VM: each told only where it holds for this VM. */
final class VmNotes {
    private final Sentences texts;

    VmNotes(Sentences texts) {
        this.texts = texts;
    }

    List<String> of(Situation s, Guest vm) {
        List<String> notes = new ArrayList<>();
        notes.add(texts.say("note.whole", vm.id(), s.host().host()));
        notes.add(texts.say("note.vram"));
        List<Guest> others = ChosenVm.others(s, vm.id());
        others.forEach(other -> notes.add(texts.say("note.other", other.id(), other.name(), vm.id())));
        others.stream().filter(other -> other.onboot() && vm.onboot())
                .forEach(other -> notes.add(texts.say("note.bothOnboot", vm.id(), other.id())));
        if (!vm.onboot()) {
            notes.add(texts.say("note.onboot", vm.id()));
        }
        backups(vm, others).ifPresent(notes::add);
        others.stream().filter(other -> !other.backups().isEmpty())
                .forEach(other -> notes.add(texts.say("note.othersBackup",
                String.join(", ", other.backups()), other.id(), vm.id())));
        vm.ha().ifPresent(state -> notes.add(texts.say("note.ha", vm.id(), state)));
        if (s.datacenter().filter(d -> d.nodes().size() > 1).isPresent()) {
            notes.add(texts.say("note.migration", vm.id()));
        }
        return notes;
    }

    private Optional<String> backups(Guest vm, List<Guest> others) {
        if (vm.backups().isEmpty()) {
            return Optional.empty();
        }
        String jobs = String.join(", ", vm.backups());
        return Optional.of(others.isEmpty() ? texts.say("note.backup", jobs, vm.id())
                : texts.say("note.backupOther", jobs, vm.id(), others.getFirst().id()));
    }

    /** What is to be known of a VM before it is chosen; empty text for nothing. */
    String option(Situation s, Guest vm) {
        List<String> says = new ArrayList<>();
        CardEntries entries = new CardEntries(s);
        ChosenVm.node(s, vm).ifPresent(node -> says.add(texts.say("option.node", node)));
        if (!entries.of(vm.config()).isEmpty()) {
            says.add(texts.say("option.has"));
        }
        if (entries.all(vm.config()).size() > entries.of(vm.config()).size()) {
            says.add(texts.say("option.otherCard"));
        }
        says.add(texts.say(vm.running() ? "option.runs" : "option.off"));
        return String.join(" · ", says);
    }
}
