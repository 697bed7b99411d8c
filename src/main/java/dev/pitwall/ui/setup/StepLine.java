package dev.pitwall.ui.setup;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;

/** One step in the list at the left. */
record StepLine(String id, String title, String why, Mark mark, Tone tone, boolean chosen, String spoken) {

    /** True for steps that wait or do not apply: they stand back. */
    boolean quiet() {
        return tone == Tone.GREY;
    }
}
