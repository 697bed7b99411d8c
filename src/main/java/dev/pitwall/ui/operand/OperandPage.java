package dev.pitwall.ui.operand;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The operands of a node as they are drawn.
 *
 * @param node  name of the node; empty text where no node has the card
 * @param word  what is to be said of all of them, or why none shows; may be empty
 * @param lines the one that stands on all others first
 */
public record OperandPage(String node, String word, List<Line> lines) {

    /**
     * One operand.
     *
     * @param word     ready, waits or fails
     * @param text     what it is stuck on, since when, and how long that usually is
     * @param beside   whether that is normal; of one that is ready, for how long; may be empty
     * @param pod      its name and how often its containers were started again
     * @param progress 0 to 1 of the usual time
     */
    public record Line(Mark mark, Tone tone, String name, String word, String text, String beside, String pod,
                       OptionalDouble progress) {

        /** For a screen reader: one sentence. */
        String spoken() {
            return String.join(", ", List.of(name, word, text, beside).stream().filter(s -> !s.isEmpty()).toList());
        }
    }

    public OperandPage {
        lines = List.copyOf(lines);
    }
}
