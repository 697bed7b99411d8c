package dev.pitwall.ui.board;

import dev.pitwall.ui.icon.Tone;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Labeled;
import javafx.scene.control.Tooltip;
import javafx.util.Duration;

/** Small things that nodes of the Board do alike. */
final class Words {

    private static final Duration DELAY = Duration.millis(500);
    private static final double WIDEST = 420;

    private Words() {
    }

    static Label label(String styleClass) {
        Label label = new Label();
        label.getStyleClass().add(styleClass);
        return label;
    }

    /** Touches the label only when it says something else. */
    static void set(Labeled label, String text) {
        if (!text.equals(label.getText())) {
            label.setText(text);
        }
    }

    static void tone(Node node, Tone tone) {
        for (Tone t : Tone.values()) {
            node.pseudoClassStateChanged(PseudoClass.getPseudoClass(t.pseudo()), t == tone);
        }
    }

    /** Made when it is first needed: most never are. */
    static void explain(Label label, String text) {
        if (text.isEmpty()) {
            label.setTooltip(null);
            return;
        }
        if (label.getTooltip() == null) {
            label.setTooltip(tooltip(""));
        }
        if (!text.equals(label.getTooltip().getText())) {
            label.getTooltip().setText(text);
        }
    }

    static Tooltip tooltip(String text) {
        Tooltip tooltip = new Tooltip(text);
        tooltip.setShowDelay(DELAY);
        tooltip.setWrapText(true);
        tooltip.setMaxWidth(WIDEST);
        return tooltip;
    }
}
