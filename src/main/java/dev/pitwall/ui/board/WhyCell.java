package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.words.Texts;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** An entry of the log. Its nodes are made once and get other texts. */
final class WhyCell extends ListCell<WhyLine> {

    /** What a model's name keeps of a full line. */
    private static final double NAME = 40;

    private final Texts texts;
    private final Consumer<Wish> ask;
    private final MarkIcon mark = new MarkIcon();
    private final Label before = Words.label("why-title");
    private final NameLabel model = new NameLabel("why-model");
    private final Label after = Words.label("why-title");
    private final Label at = Words.label("why-at");
    private final Label text = Words.label("why-text");
    private final Button undo = new Button();
    private final HBox row;

    WhyCell(Texts texts, Consumer<Wish> ask) {
        this.texts = texts;
        this.ask = ask;
        getStyleClass().add("why-cell");
        text.setWrapText(true);
        text.setMinHeight(Region.USE_PREF_SIZE);
        at.setMinWidth(USE_PREF_SIZE);
        undo.setText(texts.get("board.undo"));
        undo.getStyleClass().addAll("why-undo");
        undo.managedProperty().bind(undo.visibleProperty());
        Region between = new Region();
        HBox.setHgrow(between, Priority.ALWAYS);
        HBox title = new HBox(before, model, after, between, at);
        title.setAlignment(Pos.CENTER_LEFT);
        title.setMinWidth(0);
        VBox words = new VBox(2, title, text, undo);
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        row = new HBox(8, mark, words);
        row.getStyleClass().add("why-row");
        setPrefWidth(0);
    }

    @Override
    protected void updateItem(WhyLine line, boolean empty) {
        super.updateItem(line, empty);
        if (empty || line == null) {
            setGraphic(null);
            setAccessibleText("");
            return;
        }
        mark.show(line.mark(), line.mark() == Mark.RING ? OptionalDouble.of(0.7) : OptionalDouble.empty());
        Words.tone(row, line.tone());
        Words.set(before, line.before());
        model.name(line.model());
        // What is cut is the model's name, or the whole where it names none.
        boolean named = !line.model().isEmpty();
        before.setMinWidth(named ? USE_PREF_SIZE : 0);
        model.setMinWidth(named ? NAME : 0);
        Words.set(after, line.after());
        Words.explain(before, line.title());
        Words.explain(model, line.title());
        Words.set(at, line.at());
        Words.set(text, line.text());
        undo.setVisible(line.undo().isPresent());
        undo.setAccessibleText(texts.get("board.undo.spoken", line.title()));
        undo.setOnAction(_ -> line.undo().ifPresent(ask));
        setAccessibleText(line.title() + ". " + line.text() + " " + line.at());
        setGraphic(row);
    }
}
