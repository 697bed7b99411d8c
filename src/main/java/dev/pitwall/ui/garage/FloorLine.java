package dev.pitwall.ui.garage;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.ui.icon.Mark;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One row of a tower, as it is drawn.
 *
 * @param note     short text at the right end: an age, "normal", a countdown; may be empty
 * @param noteKind how the note is written
 * @param progress 0 to 1 of the usual time
 */
record FloorLine(Floor floor, FloorState state, Weight weight, Mark mark, String name, String text, String note,
                 NoteKind noteKind, Optional<FloorAction> action, OptionalDouble progress) {

    /** Only the lowest floor that is not ok has colour; those above it are its consequences. */
    enum Weight { PLAIN, CAUSE, CONSEQUENCE }

    enum NoteKind {
        /** An age or a countdown: figures. */
        FIGURE,
        /** A figure that is older than it should be. */
        STALE,
        WORD
    }

    /** True where the spine beside this row is broken. */
    boolean grey() {
        return weight == Weight.CONSEQUENCE || state == FloorState.UNKNOWN;
    }

    /** For a screen reader: one sentence. */
    String spoken() {
        return name + ", " + state.wireName() + ": " + text + (note.isEmpty() ? "" : ", " + note);
    }
}
