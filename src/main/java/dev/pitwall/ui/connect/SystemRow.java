package dev.pitwall.ui.connect;

import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.control.ContentDisplay;

/** One system in the list at the left: its state and one line about it. */
final class SystemRow extends ToggleButton {
    private static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");

    private final String name;
    private final StackPane mark = Marks.place();
    private final Label summary = new Label();

    SystemRow(String name) {
        this.name = name;
        getStyleClass().setAll("connect-system");
        Label title = new Label(name);
        title.getStyleClass().add("connect-system-name");
        summary.getStyleClass().add("secondary");
        VBox words = new VBox(title, summary);
        words.setAlignment(Pos.TOP_LEFT);
        VBox left = new VBox(mark);
        left.getStyleClass().add("connect-system-mark");
        HBox line = new HBox(left, words);
        line.getStyleClass().add("connect-system-line");
        words.setMaxWidth(Region.USE_PREF_SIZE);
        setGraphic(line);
        setContentDisplay(ContentDisplay.GRAPHIC_ONLY);
        setMaxWidth(Double.MAX_VALUE);
    }

    void show(Standing standing, String line, boolean chosen) {
        Marks.show(mark, standing);
        summary.setText(line);
        setSelected(chosen);
        pseudoClassStateChanged(CHOSEN, chosen);
        setAccessibleText(name + ", " + line);
    }
}
