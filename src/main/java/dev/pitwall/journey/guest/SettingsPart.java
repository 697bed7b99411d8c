package dev.pitwall.journey.guest;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.DatacenterSurvey.Storage;
import dev.pitwall.read.PropertyText;

import java.util.ArrayList;
import java.util.List;

/** Processor type, ballooning, guest agent, and what the firmware means for the driver. */
final class SettingsPart {
    static final String EFI = "efi-disk";
    private static final String KEEP = "keep";

    private final Sentences texts;

    SettingsPart(Sentences texts) {
        this.texts = texts;
    }

    void plan(Situation s, Draft draft) {
        Choices choices = s.choices();
        processor(choices, draft);
        // VFIO pins all of the guest's memory, so a balloon can give none back (facts 1.9).
        draft.set("balloon", PropertyText.parse("0", "balloon"), "balloon");
        agent(choices, draft);
        firmware(s, draft);
    }

    private void processor(Choices choices, Draft draft) {
        PropertyText now = PropertyText.parse(draft.now("cpu").orElse(""), "cputype");
        if (now.get("cputype").filter("host"::equals).isPresent()) {
            return;
        }
        String chosen = choices.get("cpu").orElse("host");
        draft.ask(new Question("cpu", texts.say("ask.cpu", now.get("cputype").orElse("kvm64")), List.of(
                new Option("host", "host", texts.say("ask.cpu.host.note")),
                new Option(KEEP, texts.say("ask.keep"), texts.say("ask.cpu.keep.note"))), chosen));
        switch (chosen) {
            case "host" -> draft.set("cpu", now.with("cputype", "host"), "cputype");
            case KEEP -> draft.note(texts.say("note.cpu", now.get("cputype").orElse("kvm64")));
            default -> draft.refuse(texts.say("attach.badChoice", "cpu", chosen, "host, keep"));
        }
    }

    /** Only on demand: a VM whose guest has no agent shuts down worse with the setting than without it. */
    private void agent(Choices choices, Draft draft) {
        PropertyText now = PropertyText.parse(draft.now("agent").orElse(""), "enabled");
        if (now.flag("enabled")) {
            return;
        }
        String chosen = choices.get("agent").orElse(KEEP);
        draft.ask(new Question("agent", texts.say("ask.agent"), List.of(
                new Option(KEEP, texts.say("ask.keep"), texts.say("ask.agent.keep.note")),
                new Option("on", texts.say("ask.agent.on"), texts.say("ask.agent.on.note"))), chosen));
        switch (chosen) {
            case "on" -> draft.set("agent", now.with("enabled", "1"), "enabled");
            case KEEP -> { }
            default -> draft.refuse(texts.say("attach.badChoice", "agent", chosen, "keep, on"));
        }
    }

    /** The firmware is never switched: an installed guest would no longer boot (facts 1.9). */
    private void firmware(Situation s, Draft draft) {
        if (!draft.now("bios").orElse("seabios").equals("ovmf")) {
            return;
        }
        if (draft.now("efidisk0").isEmpty()) {
            efiDisk(s, draft);
        } else if (secureBoot(PropertyText.parse(draft.now("efidisk0").get(), "file"))) {
            draft.note(texts.say("note.secureBoot", draft.vm().vmid()));
        }
    }

    /**
     * Without enrolled keys, or the guest runs Secure Boot and rejects unsigned NVIDIA modules (facts 1.9). Only on demand:
     * the guest of a VM that has none finds its boot entries by itself at every start.
     */
    private void efiDisk(Situation s, Draft draft) {
        List<String> storages = s.datacenter().stream().flatMap(d -> d.storages().stream()).filter(d -> d.holds("images"))
                .map(Storage::id).toList();
        String chosen = s.choices().get(EFI).orElse(KEEP);
        List<Option> options = new ArrayList<>(List.of(new Option(KEEP, texts.say("ask.keep"), texts.say("ask.efi.keep.note"))));
        storages.forEach(id -> options.add(new Option(id, id, texts.say("ask.efi.storage.note"))));
        draft.ask(new Question(EFI, texts.say("ask.efi"), options, chosen));
        if (chosen.equals(KEEP)) {
            draft.note(texts.say("note.noEfiDisk", draft.vm().vmid()));
        } else if (storages.contains(chosen)) {
            draft.set("efidisk0", PropertyText.parse(chosen + ":1,efitype=4m,pre-enrolled-keys=0", "file"), "file");
            draft.need("/storage/" + chosen, "Datastore.AllocateSpace");
        } else {
            draft.refuse(texts.say("new.noStorage", chosen, s.host().host()));
        }
    }

    /** Keys are enrolled only in the 4m form. */
    static boolean secureBoot(PropertyText efidisk) {
        return efidisk.flag("pre-enrolled-keys") && efidisk.get("efitype").filter("4m"::equals).isPresent();
    }
}
