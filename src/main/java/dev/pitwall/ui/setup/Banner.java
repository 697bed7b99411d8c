package dev.pitwall.ui.setup;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.util.List;

/**
 * What is to be said above a step.
 *
 * @param next a second sentence; may be empty
 */
record Banner(Mark mark, Tone tone, String text, String next, List<Offer> offers) {

    /** What can be done about it. */
    enum Act { CONTINUE, UNDO, RETRY, JOURNAL, CLOSE }

    record Offer(Act act, String text) {
    }

    Banner {
        offers = List.copyOf(offers);
    }
}
