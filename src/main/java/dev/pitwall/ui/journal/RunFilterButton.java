package dev.pitwall.ui.journal;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.words.Texts;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.HBox;

/** One part of the filter: its word and how many runs are in it. */
final class RunFilterButton extends ToggleButton {

    private final Label count = new Label();
    private final String word;

    RunFilterButton(RunFilter filter, Texts texts) {
        this.word = texts.get(filter.key());
        Label name = new Label(word);
        name.getStyleClass().add("filter-name");
        count.getStyleClass().add("filter-count");
        HBox content = new HBox(6, name, count);
        content.getStyleClass().add("filter");
        if (filter == RunFilter.STOPPED) {
            content.getChildren().addFirst(new MarkIcon(Mark.FAILING));
            content.pseudoClassStateChanged(PseudoClass.getPseudoClass("failing"), true);
        }
        setGraphic(content);
        getStyleClass().add("segment-part");
    }

    void count(int runs) {
        count.setText(Integer.toString(runs));
        setAccessibleText(word + " " + runs);
    }
}
