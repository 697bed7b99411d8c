package dev.pitwall.ui.board;

import dev.pitwall.ui.words.Texts;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;

/** What the parts of the bars mean. */
final class Legend {

    private final Texts texts;

    Legend(Texts texts) {
        this.texts = texts;
    }

    void fill(Pane place) {
        for (Fill fill : Fill.values()) {
            if (fill != Fill.VICTIM) {
                Label word = Words.label("legend-word");
                word.setText(texts.get("board.fill." + fill.pseudo()));
                word.setMinWidth(Label.USE_PREF_SIZE);
                HBox entry = new HBox(6, new Swatch(fill), word);
                entry.setAlignment(Pos.CENTER_LEFT);
                place.getChildren().add(entry);
            }
        }
    }
}
