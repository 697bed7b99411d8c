package dev.pitwall.ui.shell;

import dev.pitwall.card.FloorState;
import dev.pitwall.ui.icon.Mark;
import java.util.Optional;

/**
 * What the status line says about the thing under the pointer or the focus.
 *
 * @param title  the thing, for example {@code pve3 · plugin}
 * @param text   its deciding reading
 * @param source where that was read, as a person would look it up
 * @param age    for example {@code read 1 s ago}
 */
public record StatusText(Optional<Mark> mark, FloorState state, String title, String text, String source, String age) {

    public static final StatusText NOTHING =
            new StatusText(Optional.empty(), FloorState.NOT_APPLICABLE, "", "", "", "");
}
