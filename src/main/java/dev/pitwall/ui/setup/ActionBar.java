package dev.pitwall.ui.setup;

import atlantafx.base.theme.Styles;
import java.util.HashMap;
import java.util.Map;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.StackPane;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** Draws the bar below a step. A disabled button gets no mouse events, so the place around it says why it is disabled. */
final class ActionBar {

    /** The controls, and the places around them. */
    record Parts(StackPane primaryPlace, Button primary, StackPane byHandPlace, Button byHand, StackPane skipPlace,
                 Button skip, StackPane undoPlace, Button undo, StackPane othersPlace, CheckBox others, Label why) {
    }

    private final Parts parts;
    private final Map<Node, Tooltip> reasons = new HashMap<>();

    ActionBar(Parts parts) {
        this.parts = parts;
    }

    void show(Actions actions) {
        show(parts.primaryPlace(), parts.primary(), actions.primary());
        parts.primary().setGraphic(new FontIcon(switch (actions.kind()) {
            case APPLY -> Feather.PLAY;
            case STOP -> Feather.SQUARE;
            case NEXT, GARAGE -> Feather.ARROW_RIGHT;
        }));
        accent(actions.kind() != Actions.Primary.STOP);
        show(parts.byHandPlace(), parts.byHand(), actions.byHand());
        show(parts.skipPlace(), parts.skip(), actions.skip());
        show(parts.undoPlace(), parts.undo(), actions.undo());
        show(parts.othersPlace(), parts.others(), actions.others());
        parts.others().setSelected(actions.othersChosen());
        parts.why().setText(why(actions));
        parts.why().setTooltip(parts.why().getText().isEmpty() ? null : new Tooltip(parts.why().getText()));
    }

    private void accent(boolean wanted) {
        parts.primary().getStyleClass().remove(Styles.ACCENT);
        if (wanted) {
            parts.primary().getStyleClass().add(Styles.ACCENT);
        }
    }

    /** The reason that matters most stands in the bar; the others are in the tooltips. */
    private static String why(Actions actions) {
        return actions.primary().off() ? actions.primary().why() : actions.undo().why();
    }

    private void show(Node place, ButtonBase button, Actions.Button wanted) {
        button.setText(wanted.text());
        button.setDisable(wanted.off());
        button.setAccessibleHelp(wanted.why());
        Tooltip before = reasons.remove(place);
        if (before != null) {
            Tooltip.uninstall(place, before);
        }
        if (wanted.off()) {
            Tooltip reason = new Tooltip(wanted.why());
            reasons.put(place, reason);
            Tooltip.install(place, reason);
        }
    }
}
