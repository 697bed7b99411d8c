package dev.pitwall.ui.journal;

import dev.pitwall.ui.change.ChangeLine;
import dev.pitwall.ui.change.Severity;
import dev.pitwall.ui.icon.Mark;
import java.util.List;

/**
 * The right side: one run.
 *
 * @param head   for example {@code Run 41, done}
 * @param times  for example {@code 19:44:10 to 19:46:41}
 * @param place  host, card and slot
 * @param counted beside "What was changed"
 * @param note   what the run says of itself; may be empty
 */
record RunDetail(long number, Mark mark, String tone, String head, String byWhom, String times, String title, String place,
                 String counted, List<ChangeLine> changes, String note, Undo undo) {

    /**
     * What undo would do now.
     *
     * @param word    a sentence beside its title
     * @param severity how loud its chip is
     * @param chip    the worst that happens; may be empty
     * @param changes in the order in which they would be made
     * @param button  what its button says
     * @param why     why that button cannot be pressed; empty if it can
     */
    record Undo(String word, Severity severity, String chip, List<ChangeLine> changes, String button, String why) {
        Undo {
            changes = List.copyOf(changes);
        }
    }

    RunDetail {
        changes = List.copyOf(changes);
    }
}
