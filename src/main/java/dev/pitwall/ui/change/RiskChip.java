package dev.pitwall.ui.change;

import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The worst that happens, as a chip with a shape and words. */
public final class RiskChip extends Label {

    private static final PseudoClass WARNING = PseudoClass.getPseudoClass("warning");

    public RiskChip(Severity severity, String words) {
        super(words);
        boolean warns = severity == Severity.WARNING;
        getStyleClass().add("risk-chip");
        pseudoClassStateChanged(WARNING, warns);
        setGraphic(new FontIcon(warns ? Feather.ALERT_TRIANGLE : Feather.REFRESH_CW));
        setMinWidth(USE_PREF_SIZE);
    }
}
