package dev.pitwall.ui.journal;

import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.words.Texts;
import java.util.OptionalDouble;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** A day or a run in the list. Its nodes are made once and get other texts. */
final class RunCell extends ListCell<Entry> {

    private static final PseudoClass DAY = PseudoClass.getPseudoClass("day");
    private static final PseudoClass RUN = PseudoClass.getPseudoClass("run");

    /** What the buttons of a row do. */
    interface Handler {
        void undo(long run);

        void stop();
    }

    private final Texts texts;
    private final Handler handler;
    private final Label day = styled("run-day");
    private final MarkIcon mark = new MarkIcon();
    private final Label number = styled("run-number");
    private final Label title = styled("run-title");
    private final Label detail = styled("secondary");
    private final Label at = styled("run-at");
    private final Label took = styled("code-small");
    private final Label word = styled("secondary");
    private final Button undo = new Button();
    private final Button stop = new Button();
    private final HBox row;

    RunCell(Texts texts, Handler handler) {
        this.texts = texts;
        this.handler = handler;
        getStyleClass().add("run-cell");
        button(undo, texts.get("journal.undo"), Feather.ROTATE_CCW);
        button(stop, texts.get("journal.stop"), Feather.SQUARE);
        VBox words = new VBox(1, title, detail);
        words.setAlignment(Pos.CENTER_LEFT);
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        VBox times = new VBox(1, at, took);
        times.getStyleClass().add("run-times");
        times.setMinWidth(USE_PREF_SIZE);
        StackPane end = new StackPane(word, undo, stop);
        end.setAlignment(Pos.CENTER_RIGHT);
        end.getStyleClass().add("run-end");
        row = new HBox(mark, number, words, times, end);
        row.getStyleClass().add("run-row");
        setPrefWidth(0);
    }

    private void button(Button button, String text, Feather icon) {
        button.setText(text);
        button.setGraphic(new FontIcon(icon));
        button.getStyleClass().add("small-button");
        button.setFocusTraversable(false);
        button.managedProperty().bind(button.visibleProperty());
    }

    @Override
    protected void updateItem(Entry entry, boolean empty) {
        super.updateItem(entry, empty);
        pseudoClassStateChanged(DAY, false);
        pseudoClassStateChanged(RUN, false);
        if (empty || entry == null) {
            setGraphic(null);
            setAccessibleText("");
            return;
        }
        switch (entry) {
            case Entry.Day(String name) -> {
                pseudoClassStateChanged(DAY, true);
                day.setText(name);
                setAccessibleText(name);
                setGraphic(day);
            }
            case Entry.Run(RunLine line) -> {
                pseudoClassStateChanged(RUN, true);
                show(line);
                setGraphic(row);
            }
        }
    }

    private void show(RunLine line) {
        mark.show(line.mark(), OptionalDouble.empty());
        for (String tone : new String[] {"ok", "failing", "waiting", "blocked", "grey"}) {
            row.pseudoClassStateChanged(PseudoClass.getPseudoClass(tone), tone.equals(line.tone()));
        }
        number.setText(Long.toString(line.number()));
        title.setText(line.title());
        detail.setText(line.detail());
        at.setText(line.at());
        took.setText(line.took());
        word.setText(line.word());
        undo.setVisible(line.undoing() instanceof Undoing.Offered);
        undo.setOnAction(_ -> handler.undo(line.number()));
        undo.setAccessibleText(texts.get("change.undo-run", line.number()));
        stop.setVisible(line.undoing() instanceof Undoing.Running);
        stop.setOnAction(_ -> handler.stop());
        setAccessibleText(line.spoken());
    }

    private static Label styled(String styleClass) {
        Label label = new Label();
        label.getStyleClass().add(styleClass);
        return label;
    }
}
