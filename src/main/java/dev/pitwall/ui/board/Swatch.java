package dev.pitwall.ui.board;

import javafx.css.PseudoClass;
import javafx.scene.layout.Region;

/** A square of 10 px, filled as the bar is: ties a row to its part. */
final class Swatch extends Region {

    static final double SIZE = 10;

    private Fill shown = Fill.IDLE;

    Swatch() {
        getStyleClass().add("swatch");
        setMinSize(SIZE, SIZE);
        setPrefSize(SIZE, SIZE);
        setMaxSize(SIZE, SIZE);
        pseudoClassStateChanged(PseudoClass.getPseudoClass(shown.pseudo()), true);
    }

    Swatch(Fill fill) {
        this();
        show(fill);
    }

    void show(Fill fill) {
        if (fill != shown) {
            pseudoClassStateChanged(PseudoClass.getPseudoClass(shown.pseudo()), false);
            pseudoClassStateChanged(PseudoClass.getPseudoClass(fill.pseudo()), true);
            shown = fill;
        }
    }
}
