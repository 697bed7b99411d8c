package dev.pitwall.ui.setup;

import dev.pitwall.ui.change.ChangeLine;
import java.util.List;

/**
 * The right side: one step.
 *
 * @param crumbs  where it is: page, host, floor
 * @param number  for example {@code Step 3 of 8}
 * @param counted for example {@code 4 changes on pve2, in this order}
 * @param nothing why there is no change; empty if there are some
 * @param later   when the changes will be made that are only foreseen; empty if they can be made now
 */
record StepView(String id, List<String> crumbs, String number, String title, String text, List<FoundLine> found,
                List<QuestionLine> questions, List<String> notes, String counted, List<ChangeLine> changes,
                String nothing, String later) {
    StepView {
        crumbs = List.copyOf(crumbs);
        found = List.copyOf(found);
        questions = List.copyOf(questions);
        notes = List.copyOf(notes);
        changes = List.copyOf(changes);
    }
}
