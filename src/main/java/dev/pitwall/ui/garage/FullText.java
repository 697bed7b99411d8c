package dev.pitwall.ui.garage;

import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.util.Duration;

/** Shows the whole text of a label that had to be cut. The tooltip is made when it is first needed: most never are. */
final class FullText {

    private static final Duration DELAY = Duration.millis(500);

    private FullText() {
    }

    /** @param place where the pointer must be */
    static void on(Node place, Label label) {
        place.hoverProperty().addListener((_, _, over) -> {
            if (over) {
                explain(label);
            }
        });
    }

    private static void explain(Label label) {
        if (!label.isTextTruncated()) {
            label.setTooltip(null);
            return;
        }
        if (label.getTooltip() == null) {
            Tooltip full = new Tooltip();
            full.setShowDelay(DELAY);
            label.setTooltip(full);
        }
        label.getTooltip().setText(label.getText());
    }
}
