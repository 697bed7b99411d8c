package dev.pitwall.ui.garage;

import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.util.Duration;

/**
 * Explains a label after half a second: its whole text where that had to be cut, and what more there is to say. The
 * tooltip is made when it is first needed: most never are.
 */
final class FullText {

    private static final Duration DELAY = Duration.millis(500);
    private static final double WIDEST = 480;

    private FullText() {
    }

    /** @param place where the pointer must be */
    static void on(Node place, Label label) {
        on(place, label, () -> "");
    }

    /** @param more a second line, for example where the text comes from; empty for none */
    static void on(Node place, Label label, Supplier<String> more) {
        place.hoverProperty().addListener((_, _, over) -> {
            if (over) {
                explain(label, more.get());
            }
        });
    }

    private static void explain(Label label, String more) {
        if (!label.isTextTruncated() && more.isEmpty()) {
            label.setTooltip(null);
            return;
        }
        if (label.getTooltip() == null) {
            Tooltip full = new Tooltip();
            full.setShowDelay(DELAY);
            full.setWrapText(true);
            full.setMaxWidth(WIDEST);
            label.setTooltip(full);
        }
        label.getTooltip().setText(more.isEmpty() ? label.getText() : label.getText() + "\n" + more);
    }
}
