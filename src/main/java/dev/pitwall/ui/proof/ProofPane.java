package dev.pitwall.ui.proof;

import dev.pitwall.ui.change.CodeBlock;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.page.TwoColumns;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** Draws the page of the proof: the result above the step, and what it shows, the roll call and the log below it. */
public final class ProofPane {

    /** What the page can be asked for. */
    public interface Acts {
        void callAll();

        void choose(String cardId);

        void copy(String text);
    }

    private final Texts texts;
    private final Acts acts;
    private final Pane head;
    private final Pane body;
    private final VBox left = new VBox();
    private final VBox right = new VBox(16);
    private final VBox rollBox = new VBox();
    private final VBox rows = new VBox();
    private final Label tally = styled("", "tally");
    private final Label trouble = styled("", "proof-trouble");
    private final Button callAll = new Button();
    private final StackPane callPlace = new StackPane(callAll);
    private final Tooltip whyNot = new Tooltip();
    private final List<RollRow> roll = new ArrayList<>();
    private final Label logAge = styled("", "age");
    private ProofPage drawn = ProofPage.NOTHING;
    private boolean wide = true;

    /**
     * @param head gets the result
     * @param body gets the rest
     */
    public ProofPane(Pane head, Pane body, Texts texts, Acts acts) {
        this.head = head;
        this.body = body;
        this.texts = texts;
        this.acts = acts;
        head.setVisible(false);
        body.setVisible(false);
        left.getStyleClass().add("setup-column");
        right.getStyleClass().add("setup-column");
        callAll.setId("call-all");
        callAll.setText(texts.get("proof.call"));
        callAll.getStyleClass().add("flat");
        callAll.setGraphic(new FontIcon(Feather.REFRESH_CW));
        callAll.setOnAction(_ -> acts.callAll());
        callPlace.setMinWidth(Region.USE_PREF_SIZE);
        rows.getStyleClass().addAll("panel", "roll");
        trouble.setWrapText(true);
        trouble.managedProperty().bind(trouble.visibleProperty());
        rollBox.getChildren().addAll(columnHead(texts.get("proof.roll"), tally, callPlace), trouble, rows);
        arrange();
    }

    /** One column below the other where there is little room. */
    public void wide(boolean enough) {
        if (enough != wide) {
            wide = enough;
            arrange();
        }
    }

    public void hide() {
        head.setVisible(false);
        body.setVisible(false);
    }

    public void show(ProofPage page, Instant now) {
        body.setVisible(true);
        head.setVisible(page.head().isPresent());
        if (!page.head().equals(drawn.head())) {
            head.getChildren().setAll(page.head().map(this::result).map(List::of).orElse(List.of()));
        }
        boolean places = page.proved().isEmpty() != drawn.proved().isEmpty()
                || page.log().isEmpty() != drawn.log().isEmpty();
        if (!page.proved().equals(drawn.proved())) {
            VBox panel = new VBox();
            panel.getStyleClass().addAll("panel", "proved");
            page.proved().forEach(line -> panel.getChildren().add(proved(line)));
            left.getChildren().setAll(columnHead(texts.get("proof.shows"), new Region(), new Region()), panel);
        }
        if (!page.log().equals(drawn.log()) || right.getChildren().isEmpty()) {
            right.getChildren().setAll(rollBox);
            page.log().ifPresent(log -> right.getChildren().add(log(log)));
        }
        showRoll(page);
        drawn = page;
        if (places) {
            arrange();
        }
        ages(now);
    }

    public void ages(Instant now) {
        roll.forEach(row -> row.age(now));
        drawn.log().flatMap(ProofPage.Log::at).ifPresent(at -> logAge.setText(Ages.brief(Duration.between(at, now))));
    }

    private void showRoll(ProofPage page) {
        tally.setText(page.tally());
        trouble.setText(page.trouble());
        trouble.setVisible(!page.trouble().isEmpty());
        callAll.setDisable(!page.held().isEmpty() || page.roll().isEmpty());
        Tooltip.uninstall(callPlace, whyNot);
        if (!page.held().isEmpty()) {
            whyNot.setText(page.held());
            Tooltip.install(callPlace, whyNot);
        }
        if (roll.size() != page.roll().size()) {
            roll.clear();
            page.roll().forEach(_ -> roll.add(new RollRow(acts::choose)));
            rows.getChildren().setAll(roll);
        }
        for (int i = 0; i < roll.size(); i++) {
            roll.get(i).show(page.roll().get(i));
        }
    }

    private void arrange() {
        body.getChildren().clear();
        if (drawn.proved().isEmpty()) {
            body.getChildren().add(right);
        } else {
            body.getChildren().add(wide ? new TwoColumns(left, right) : new VBox(12, left, right));
        }
    }

    private HBox result(ProofPage.Head wanted) {
        MarkIcon mark = new MarkIcon();
        mark.show(wanted.mark(), OptionalDouble.empty());
        StackPane place = new StackPane(mark);
        place.getStyleClass().add("result-mark");
        Label text = wrapped(wanted.text(), "proof-text");
        VBox words = new VBox(4, styled(wanted.title(), "result"), text, styled(wanted.when(), "age"));
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        Label note = styled(wanted.tookNote(), "secondary");
        VBox took = new VBox(4, styled(wanted.took(), "result"), note);
        took.getStyleClass().add("result-took");
        took.setMinWidth(Region.USE_PREF_SIZE);
        took.setVisible(!wanted.took().isEmpty());
        HBox box = new HBox(16, place, words, took);
        box.getStyleClass().addAll("panel", "proof-result");
        pseudo(box, wanted.tone().pseudo());
        box.setAccessibleText(wanted.title() + ". " + wanted.text());
        return box;
    }

    private HBox proved(ProofPage.Proved line) {
        MarkIcon mark = new MarkIcon();
        mark.show(line.mark(), OptionalDouble.empty());
        VBox words = new VBox(1, wrapped(line.text(), "found-value"));
        if (!line.detail().isEmpty()) {
            words.getChildren().add(wrapped(line.detail(), "proof-detail"));
        }
        words.setMinWidth(0);
        words.setAlignment(Pos.CENTER_LEFT);
        HBox.setHgrow(words, Priority.ALWAYS);
        HBox row = new HBox(mark, styled(line.floor(), "proof-floor"), words);
        row.getStyleClass().addAll("found-row", "found-head");
        pseudo(row, line.mark() == Mark.OK ? "ok" : "grey");
        return row;
    }

    private VBox log(ProofPage.Log log) {
        Button copy = new Button("", new FontIcon(Feather.COPY));
        copy.setId("copy-log");
        copy.getStyleClass().add("icon-button");
        copy.setAccessibleText(texts.get("proof.copy"));
        copy.setTooltip(new Tooltip(texts.get("proof.copy")));
        copy.setOnAction(_ -> acts.copy(log.text()));
        Label title = styled(log.title(), "change-code");
        title.setMinWidth(0);
        HBox top = new HBox(8, new FontIcon(Feather.TERMINAL), title, grow(), logAge, copy);
        top.getStyleClass().add("change-head");
        VBox lines = new VBox(new CodeBlock(log.lines(), texts));
        lines.getStyleClass().add("change-body");
        VBox box = new VBox(top, lines);
        box.getStyleClass().addAll("panel", "proof-log");
        return box;
    }

    private static HBox columnHead(String title, Region beside, Region end) {
        Label word = styled(title, "section");
        word.setMinWidth(Region.USE_PREF_SIZE);
        HBox row = new HBox(8, word, beside, grow(), end);
        row.getStyleClass().add("column-head");
        return row;
    }

    private static Region grow() {
        Region grow = new Region();
        HBox.setHgrow(grow, Priority.ALWAYS);
        return grow;
    }

    private static void pseudo(Region node, String name) {
        node.pseudoClassStateChanged(PseudoClass.getPseudoClass(name), true);
    }

    static Label styled(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }

    private static Label wrapped(String text, String styleClass) {
        Label label = styled(text, styleClass);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }
}
