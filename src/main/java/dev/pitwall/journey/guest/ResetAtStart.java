package dev.pitwall.journey.guest;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Situation;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Proxmox resets every function that can be reset when the VM starts, each on its own. A bus reset of one function is
 * refused while others share its bus, which ends the start on Proxmox 7; since 8.2.6 of its qemu-server it is a warning
 * (facts: proxmox.md 1.8, 1.14, 2.5).
 */
final class ResetAtStart {
    static final String KEY = "reset";
    private static final String STOP = "stop";
    private static final String TRY = "try";

    private final Sentences texts;

    ResetAtStart(Sentences texts) {
        this.texts = texts;
    }

    /** Why the start would fail; empty if nothing is known against it, or the person wants to see. */
    Optional<String> refusal(Situation s) {
        return onRelease(s, 7) && !inTheWay(s).isEmpty() && !chosen(s).equals(TRY)
                ? Optional.of(texts.say("reset.fails", names(s))) : Optional.empty();
    }

    /** What may be: which package a release before 8.3 has is not known. */
    Optional<String> note(Situation s) {
        boolean perhaps = onRelease(s, 7) || s.host().proxmox().filter(v -> v.matches("8\\.[0-2]\\b.*")).isPresent();
        return perhaps && !inTheWay(s).isEmpty() ? Optional.of(texts.say("reset.mayFail", names(s))) : Optional.empty();
    }

    Optional<Question> question(Situation s) {
        return !onRelease(s, 7) || inTheWay(s).isEmpty() ? Optional.empty()
                : Optional.of(new Question(KEY, texts.say("ask.reset"), List.of(
                new Option(STOP, texts.say("ask.reset.stop"), texts.say("ask.reset.stop.note")),
                new Option(TRY, texts.say("ask.reset.try"), texts.say("ask.reset.try.note"))), chosen(s)));
    }

    private static String chosen(Situation s) {
        return s.choices().get(KEY).orElse(STOP);
    }

    private static boolean onRelease(Situation s, int major) {
        return s.host().proxmox().filter(v -> v.startsWith(major + ".")).isPresent();
    }

    /** Functions that can be reset with their bus only, which they are not alone on. */
    private static List<PciAddress> inTheWay(Situation s) {
        List<PciFunction> card = s.host().slot(s.card().slot());
        return card.size() < 2 ? List.of() : card.stream().map(PciFunction::address)
                .filter(f -> Optional.ofNullable(s.host().states().get(f)).flatMap(state -> state.resetMethod())
                        .map(String::strip).filter("bus"::equals).isPresent()).toList();
    }

    private static String names(Situation s) {
        return inTheWay(s).stream().map(PciAddress::toString).collect(Collectors.joining(", "));
    }
}
