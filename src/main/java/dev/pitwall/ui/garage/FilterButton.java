package dev.pitwall.ui.garage;

import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.words.Texts;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.HBox;

/** One part of the filter: the state's shape, its word and how many cards are in it. */
final class FilterButton extends ToggleButton {

    private final Label count = new Label();
    private final String word;

    FilterButton(Filter filter, Texts texts) {
        this.word = texts.get(filter.key());
        HBox content = new HBox(5);
        content.getStyleClass().add("filter");
        filter.mark().ifPresent(mark -> content.getChildren().add(new MarkIcon(mark)));
        Label name = new Label(word);
        name.getStyleClass().add("filter-name");
        count.getStyleClass().add("filter-count");
        content.getChildren().addAll(name, count);
        filter.state().ifPresent(state ->
                content.pseudoClassStateChanged(PseudoClass.getPseudoClass(state.wireName()), true));
        setGraphic(content);
        setUserData(filter);
        getStyleClass().add("segment-part");
    }

    void count(int cards) {
        String text = Integer.toString(cards);
        if (!text.equals(count.getText())) {
            count.setText(text);
            setAccessibleText(word + " " + cards);
        }
    }
}
