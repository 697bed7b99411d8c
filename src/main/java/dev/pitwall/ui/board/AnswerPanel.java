package dev.pitwall.ui.board;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.theme.Motion;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** A card's answer to what is carried, in words; with the bar as it would be and its figures while it is the target. */
final class AnswerPanel extends VBox {

    private static final PseudoClass TARGET = PseudoClass.getPseudoClass("target");

    /** How much is said. */
    enum Say { WORDS, ALL }

    private record Look(Answer answer, Say say, boolean target) {
    }

    private final Texts texts;
    private Optional<Look> drawn = Optional.empty();

    AnswerPanel(Texts texts) {
        this.texts = texts;
        getStyleClass().add("answer");
        setManaged(false);
        setMouseTransparent(true);
    }

    void show(Answer answer, Say say, boolean target) {
        Optional<Look> look = Optional.of(new Look(answer, say, target));
        if (look.equals(drawn)) {
            return;
        }
        drawn = look;
        for (Answer.Kind kind : Answer.Kind.values()) {
            pseudoClassStateChanged(PseudoClass.getPseudoClass(kind.name().toLowerCase(Locale.ROOT)), kind == answer.kind());
        }
        pseudoClassStateChanged(TARGET, target);
        List<Node> content = new ArrayList<>();
        content.add(title(answer));
        boolean figures = target && say == Say.ALL && !answer.figures().isEmpty();
        if (figures) {
            answer.after().ifPresent(bar -> content.add(after(bar)));
            content.add(figures(answer.figures()));
        }
        if (!answer.text().isEmpty() && (!figures || answer.kind() == Answer.Kind.REFUSED)) {
            content.add(wrapped(answer.text(), "answer-text"));
        }
        getChildren().setAll(content);
        setAccessibleText(answer.title() + ". " + answer.text());
    }

    private static Node title(Answer answer) {
        Label words = wrapped(answer.title(), "answer-title");
        HBox.setHgrow(words, Priority.ALWAYS);
        HBox line = new HBox(8, words);
        line.setAlignment(Pos.TOP_LEFT);
        mark(answer.kind()).ifPresent(mark -> {
            MarkIcon icon = new MarkIcon();
            icon.show(mark, OptionalDouble.empty());
            line.getChildren().addFirst(icon);
        });
        return line;
    }

    private static Optional<Mark> mark(Answer.Kind kind) {
        return switch (kind) {
            case FITS -> Optional.of(Mark.OK);
            case REFUSED -> Optional.of(Mark.REFUSED);
            case EVICTS, HERE -> Optional.empty();
        };
    }

    private Node after(Bar bar) {
        VramBar drawnBar = new VramBar();
        drawnBar.getStyleClass().add("small-bar");
        drawnBar.show(bar, Motion.NONE);
        return new VBox(4, wrapped(texts.get("board.after"), "answer-label"), drawnBar);
    }

    private static Node figures(List<Answer.Figure> figures) {
        GridPane grid = new GridPane();
        grid.getStyleClass().add("answer-figures");
        for (int i = 0; i < figures.size(); i++) {
            Label value = Words.label("answer-value");
            value.setText(figures.get(i).value());
            Label label = wrapped(figures.get(i).label(), "answer-label");
            GridPane.setHgrow(label, Priority.ALWAYS);
            label.setMaxWidth(Double.MAX_VALUE);
            grid.addRow(i, label, value);
        }
        return grid;
    }

    private static Label wrapped(String text, String styleClass) {
        Label label = Words.label(styleClass);
        label.setText(text);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }
}
