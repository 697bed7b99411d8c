package dev.pitwall.journey.consent;

import dev.pitwall.card.Sentences;
import java.util.List;

/** What a person is told of fields that others keep. */
final class HoldWords {
    private final Sentences texts;

    HoldWords(Sentences texts) {
        this.texts = texts;
    }

    /** One clause: which field, whose, since when; of several the first, and how many more. */
    String why(List<Hold> holds) {
        Hold first = holds.getFirst();
        String since = first.since().map(t -> texts.say("hold.since", t.toString())).orElse("");
        String field = first.field().isEmpty() ? texts.say("hold.object", first.object())
                : texts.say("hold.field", first.field(), first.object());
        String why = texts.say("hold", field, first.keeper().tool(), first.manager(), since);
        return holds.size() == 1 ? why : texts.say("hold.more", why, holds.size() - 1);
    }

    /** Where it is to be changed instead. */
    String elsewhere(List<Hold> holds) {
        Hold first = holds.getFirst();
        return first.field().isEmpty() ? texts.say("hold.next.object", first.keeper().where())
                : first.wanted().isEmpty() ? texts.say("hold.next.gone", first.field(), first.keeper().where())
                : first.wanted().contains("\n") ? texts.say("hold.next.text", first.field(), first.keeper().where())
                : texts.say("hold.next", first.field(), first.wanted(), first.keeper().where());
    }

    String all(List<Hold> holds) {
        return String.join("; ", holds.stream().map(h -> why(List.of(h))).toList());
    }
}
