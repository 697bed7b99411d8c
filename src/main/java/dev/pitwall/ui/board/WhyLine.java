package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.util.Optional;

/**
 * An entry of the log.
 *
 * @param before the title up to the model's name, or all of it
 * @param model  the name in it, may be empty
 * @param undo   what would take it back
 */
record WhyLine(Entry entry, Mark mark, Tone tone, String before, String model, String after, String text, String at,
               Optional<Wish> undo) {

    String title() {
        return before + model + after;
    }
}
