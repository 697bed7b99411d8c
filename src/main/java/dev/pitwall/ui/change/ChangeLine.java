package dev.pitwall.ui.change;

import dev.pitwall.ui.icon.Mark;
import java.util.List;
import java.util.Optional;

/**
 * One change as it is drawn.
 *
 * @param icon    Feather's name of what is changed
 * @param target  the file, the command, the call or the machine
 * @param summary a few words beside it
 * @param note    usual time and undo, at the right end
 * @param severity how loud its chip is
 * @param chip    words of the risk; empty text where there is none
 * @param lines   what differs
 * @param text    what it means for others, in sentences; may be empty
 * @param undo    how it is taken back; may be empty
 * @param doing   how it goes; empty before a run
 */
public record ChangeLine(String icon, String target, Face face, String summary, String note, Severity severity,
                         String chip,
                         List<CodeLine> lines, String text, String undo, Optional<Doing> doing) {

    /** How the target is written. */
    public enum Face { CODE, WORDS }

    /**
     * How a change of a run goes.
     *
     * @param took    time it took; empty text where that is not known
     * @param message what the system said, or why it stopped; may be empty
     */
    public record Doing(Mark mark, String word, String took, String message) {
    }

    public ChangeLine {
        lines = List.copyOf(lines);
    }

    /** For a screen reader: one sentence. */
    public String spoken() {
        return String.join(", ", List.of(target, summary, chip, doing.map(Doing::word).orElse("")).stream()
                .filter(s -> !s.isEmpty()).toList());
    }
}
