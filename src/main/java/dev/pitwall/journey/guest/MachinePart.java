package dev.pitwall.journey.guest;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Choices;
import dev.pitwall.read.PropertyText;

import java.util.List;
import java.util.Optional;

/**
 * The machine type. An installed guest is never moved to q35 unasked: its network card gets another name (facts 1.9).
 */
final class MachinePart {
    static final String KEY = "machine";
    private static final String KEEP = "keep";
    private static final String Q35 = "q35";

    private final Sentences texts;

    MachinePart(Sentences texts) {
        this.texts = texts;
    }

    /** Whether the guest has, or will have, PCIe slots. */
    enum Slots { PCIE, PCI }

    Slots plan(Choices choices, Draft draft) {
        PropertyText now = PropertyText.parse(draft.now(KEY).orElse(""), "type");
        if (isQ35(now)) {
            return Slots.PCIE;
        }
        String chosen = choices.get(KEY).orElse(KEEP);
        draft.ask(new Question(KEY, texts.say("ask.machine"), List.of(
                new Option(KEEP, texts.say("ask.machine.keep"), texts.say("ask.machine.keep.note")),
                new Option(Q35, texts.say("ask.machine.q35"), texts.say("ask.machine.q35.note"))), chosen));
        return switch (chosen) {
            case Q35 -> {
                draft.set(KEY, now.with("type", Q35), "type");
                draft.note(texts.say("note.nicRename", draft.vm().vmid()));
                yield Slots.PCIE;
            }
            case KEEP -> {
                draft.note(texts.say("note.noPcie", draft.vm().vmid()));
                yield Slots.PCI;
            }
            default -> {
                draft.refuse(texts.say("attach.badChoice", KEY, chosen, "keep, q35"));
                yield Slots.PCI;
            }
        };
    }

    /** {@code q35}, or a version of it such as {@code pc-q35-9.0}. */
    static boolean isQ35(PropertyText machine) {
        Optional<String> type = machine.get("type");
        return type.filter(t -> t.equals(Q35) || t.startsWith("pc-q35-")).isPresent();
    }
}
