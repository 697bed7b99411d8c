package dev.pitwall.ui.doctor;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One entry of the list as it is drawn.
 *
 * @param id       stays the same from look to look
 * @param progress how far a wait has come, 0 to 1; empty where nobody knows
 * @param text     a few words below the title
 * @param chips    where it sits, what it is about, and how sure it is
 */
record FindingLine(String id, Mark mark, Tone tone, OptionalDouble progress, String title, String text,
                   List<String> chips) {

    FindingLine {
        chips = List.copyOf(chips);
    }

    /** For a screen reader: one sentence. */
    String spoken() {
        return (chips.isEmpty() ? "" : String.join(", ", chips) + ": ") + title + ". " + text;
    }
}
