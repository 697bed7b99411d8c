package dev.pitwall.journey.host;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.read.KernelCommandLine;

import java.util.List;
import java.util.Optional;

/**
 * The patch of Proxmox's kernels that pretends isolation (facts: proxmox.md 2.4). It is asked for with the group, and is a
 * word of the kernel's command line, which the step of the IOMMU writes.
 */
final class AcsOverride {
    static final String NAME = "pcie_acs_override";
    static final String KEY = "acs";
    private static final String NONE = "none";
    private static final List<String> VALUES = List.of("downstream", "downstream,multifunction");

    private AcsOverride() {
    }

    /** Empty where the person chose none, or nothing. */
    static Optional<KernelWord> chosen(Choices choices) {
        return choices.get(KEY).filter(VALUES::contains).map(v -> KernelWord.of(NAME, v));
    }

    /** True for a word of this name that says otherwise than what was chosen. */
    static boolean contradicts(String word, Choices choices) {
        return word.startsWith(NAME + "=")
                && chosen(choices).filter(w -> !w.in(List.of(word))).isPresent();
    }

    static Optional<String> active(KernelCommandLine commandLine) {
        return commandLine.value(NAME).filter(v -> !v.isEmpty());
    }

    static Answer.Question question(Choices choices, Sentences texts) {
        return new Answer.Question(KEY, texts.say("acs.ask"), List.of(
                new Answer.Option(NONE, texts.say("acs.none"), texts.say("acs.none.note")),
                new Answer.Option(VALUES.get(0), texts.say("acs.downstream"), texts.say("acs.warning")),
                new Answer.Option(VALUES.get(1), texts.say("acs.both"), texts.say("acs.warning"))),
                choices.get(KEY).filter(VALUES::contains).orElse(NONE));
    }
}
