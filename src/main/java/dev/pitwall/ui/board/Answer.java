package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import java.util.List;
import java.util.Optional;

/**
 * What a card says to what is carried over it.
 *
 * @param after the bar as it would be
 */
record Answer(Kind kind, String title, String text, List<Figure> figures, List<ModelName> victims, Optional<Bar> after) {

    Answer {
        figures = List.copyOf(figures);
        victims = List.copyOf(victims);
    }

    enum Kind { FITS, EVICTS, REFUSED, HERE }

    record Figure(String label, String value) {
    }
}
