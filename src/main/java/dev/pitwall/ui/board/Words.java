package dev.pitwall.ui.board;

import dev.pitwall.ui.icon.Tone;
import java.util.Optional;
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

    /** A tooltip that is made when the pointer first comes there: most never are. An empty text has none. */
    static void explain(Node node, String text) {
        Object kept = node.getProperties().computeIfAbsent(Tip.class, _ -> new Tip(node));
        switch (kept) {
            case Tip tip -> tip.text(text);
            default -> throw new IllegalStateException("another thing is kept under this key");
        }
    }

    static Tooltip tooltip(String text) {
        Tooltip tooltip = new Tooltip(text);
        tooltip.setShowDelay(DELAY);
        tooltip.setWrapText(true);
        tooltip.setMaxWidth(WIDEST);
        return tooltip;
    }

    /** What a node explains of itself. */
    private static final class Tip {
        private final Node node;
        private Optional<Tooltip> tooltip = Optional.empty();
        private String text = "";

        Tip(Node node) {
            this.node = node;
            node.hoverProperty().addListener((_, _, over) -> {
                if (over) {
                    install();
                }
            });
        }

        void text(String next) {
            if (!next.equals(text)) {
                text = next;
                tooltip.ifPresent(_ -> install());
            }
        }

        private void install() {
            if (text.isEmpty()) {
                tooltip.ifPresent(t -> Tooltip.uninstall(node, t));
                tooltip = Optional.empty();
                return;
            }
            if (tooltip.isEmpty()) {
                tooltip = Optional.of(tooltip(text));
                Tooltip.install(node, tooltip.get());
            }
            tooltip.get().setText(text);
        }
    }
}
