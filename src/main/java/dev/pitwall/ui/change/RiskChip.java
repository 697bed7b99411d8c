package dev.pitwall.ui.change;

import dev.pitwall.journey.change.Risk;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The worst that happens, as a chip with a shape and words. */
public final class RiskChip extends Label {

    private static final PseudoClass WARNING = PseudoClass.getPseudoClass("warning");

    public RiskChip(Risk risk, String words) {
        super(words);
        boolean warns = risk.compareTo(Risk.DRAINS_NODE) >= 0;
        getStyleClass().add("risk-chip");
        pseudoClassStateChanged(WARNING, warns);
        setGraphic(new FontIcon(warns ? Feather.ALERT_TRIANGLE : Feather.REFRESH_CW));
        setMinWidth(USE_PREF_SIZE);
    }
}
