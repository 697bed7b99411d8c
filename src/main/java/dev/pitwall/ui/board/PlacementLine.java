package dev.pitwall.ui.board;

import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One model on a card, as its row shows it.
 *
 * @param progress 0 to 1 while it loads and somebody can tell
 * @param loading  empty, or that a bar shows how far it is
 * @param more     what the tooltip adds, may be empty
 * @param warning  something about it that a person should know, may be empty
 */
record PlacementLine(PlacementId id, Mark mark, Tone tone, OptionalDouble progress, Shape shape, String word, Fill fill,
                     String size, Pinning pinned, Quick quick, String more, Optional<String> warning, String spoken) {

    /** How high a row is. */
    enum Shape {
        PLAIN(56), LOADING(64);

        private final double height;

        Shape(double height) {
            this.height = height;
        }

        double height() {
            return height;
        }
    }

    /** What the button of a row does. */
    enum Quick { EVICT, CANCEL, AGAIN, NONE }

    String name() {
        return id.model().text();
    }
}
