package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.words.Texts;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** A line of the shelf. Its nodes are made once and get other texts. */
final class ShelfCell extends ListCell<ShelfLine> {

    private static final double GAP = 6;
    /** Share of a line that a long place keeps beside a long name. */
    private static final double PLACE = 0.4;
    private static final PseudoClass MODEL = PseudoClass.getPseudoClass("model");
    private static final PseudoClass LIFTED = PseudoClass.getPseudoClass("lifted");

    private final Function<Carry, Boolean> lifted;
    private final Consumer<Wish> ask;
    private final Label head = Words.label("shelf-head");
    private final Label unit = Words.label("shelf-unit");
    private final HBox headLine = line(head, unit);
    private final NameLabel name = new NameLabel("shelf-name");
    private final Swatch swatch = new Swatch();
    private final Label size = Words.label("shelf-size");
    private final HBox modelLine = line(name, swatch, size);
    private final NameLabel placedName = new NameLabel("shelf-name");
    private final Label place = Words.label("shelf-place");
    private final NameLine placedLine = new NameLine(placedName, place, NameLine.Ends.APART, GAP, PLACE);
    private final NameLabel pullName = new NameLabel("shelf-name");
    private final Label pullWord = Words.label("shelf-word");
    private final ProgressBar share = new ProgressBar();
    private final Button stop = new Button();
    private final VBox pullLine = new VBox(3, line(pullName, stop), share, pullWord);
    private final Label nothing = Words.label("shelf-nothing");

    /** @param lifted whether this is what is carried now; @param ask for the buttons */
    ShelfCell(Texts texts, Function<Carry, Boolean> lifted, Consumer<Wish> ask) {
        this.lifted = lifted;
        this.ask = ask;
        getStyleClass().add("shelf-cell");
        share.managedProperty().bind(share.visibleProperty());
        stop.managedProperty().bind(stop.visibleProperty());
        placedLine.getStyleClass().add("shelf-line");
        size.setMinWidth(USE_PREF_SIZE);
        stop.getStyleClass().add("shelf-button");
        stop.setMinWidth(USE_PREF_SIZE);
        stop.setFocusTraversable(false);
        share.getStyleClass().add("shelf-share");
        share.setMaxWidth(Double.MAX_VALUE);
        pullWord.setWrapText(true);
        pullLine.getStyleClass().add("shelf-pull");
        nothing.setWrapText(true);
        setPrefWidth(0);
    }

    private static HBox line(Label grows, Node... others) {
        grows.setMaxWidth(Double.MAX_VALUE);
        grows.setMinWidth(0);
        HBox.setHgrow(grows, Priority.ALWAYS);
        HBox line = new HBox(GAP, grows);
        line.setAlignment(Pos.CENTER_LEFT);
        line.getChildren().addAll(others);
        line.getStyleClass().add("shelf-line");
        return line;
    }

    @Override
    protected void updateItem(ShelfLine line, boolean empty) {
        super.updateItem(line, empty);
        Optional<Carry> carry = empty || line == null ? Optional.empty() : line.carry();
        pseudoClassStateChanged(MODEL, carry.isPresent());
        showLifted();
        if (empty || line == null) {
            graphic(null);
            setAccessibleText("");
            return;
        }
        switch (line) {
            case ShelfLine.Head h -> {
                Words.set(head, h.title());
                Words.set(unit, h.unit());
                setAccessibleText(h.title());
                graphic(headLine);
            }
            case ShelfLine.OnDisk d -> {
                name.name(d.name().text());
                swatch.show(d.fill());
                Words.set(size, d.size());
                graphic(modelLine);
                Words.explain(name, d.name().text() + "\n" + d.more());
                Words.explain(size, d.more());
                setAccessibleText(d.spoken());
            }
            case ShelfLine.OnCard c -> {
                placedName.name(c.id().model().text());
                Words.set(place, c.place());
                graphic(placedLine);
                Words.explain(placedName, c.id().model().text() + "\n" + c.place());
                Words.explain(place, c.id().model().text() + "\n" + c.place());
                setAccessibleText(c.spoken());
            }
            case ShelfLine.Waiting w -> pull(w.name().text(), w.why(), Optional.empty());
            case ShelfLine.Pull p -> pull(p.name().text(), p.where() + " · " + p.word(), Optional.of(p));
            case ShelfLine.Nothing n -> {
                Words.set(nothing, n.sentence());
                setAccessibleText(n.sentence());
                graphic(nothing);
            }
        }
    }

    /** What is carried keeps its place, dimmed. */
    void showLifted() {
        ShelfLine line = getItem();
        pseudoClassStateChanged(LIFTED, line != null && line.carry().filter(lifted::apply).isPresent());
    }

    private void pull(String title, String word, Optional<ShelfLine.Pull> pull) {
        pullName.name(title);
        Words.explain(pullName, title);
        Words.set(pullWord, word);
        boolean told = pull.map(p -> p.share().isPresent()).orElse(false);
        share.setVisible(told);
        pull.filter(_ -> told).ifPresent(p -> share.setProgress(p.share().getAsDouble()));
        stop.setVisible(pull.isPresent());
        pull.ifPresent(p -> {
            Words.set(stop, p.button());
            stop.setOnAction(_ -> ask.accept(p.wish()));
        });
        setAccessibleText(title + ", " + word);
        graphic(pullLine);
    }

    private void graphic(Region node) {
        if (getGraphic() != node) {
            setGraphic(node);
        }
    }
}
