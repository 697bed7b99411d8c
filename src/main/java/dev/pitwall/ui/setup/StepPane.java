package dev.pitwall.ui.setup;

import dev.pitwall.ui.change.ChangePanel;
import dev.pitwall.ui.change.ChangeStack;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** Fills the two columns of a step. Only what differs from before is drawn anew, so that the keyboard keeps its place. */
final class StepPane {

    /** The places that are filled. */
    record Places(Pane found, Label foundCount, Pane questions, Label counted, Pane changes, Label nothing, Label later,
                  Pane notes) {
    }

    private static final PseudoClass LATER = PseudoClass.getPseudoClass("later");

    private final Places places;
    private final Texts texts;
    private final ChangeStack stack;
    private final Consumer<String> copy;
    private final BiConsumer<String, String> answer;
    private List<FoundLine> found = List.of();
    private List<FoundRow> rows = List.of();
    private List<QuestionLine> questions = List.of();
    private List<String> notes = List.of();
    private String step = "";

    StepPane(Places places, Texts texts, Consumer<String> copy, BiConsumer<String, String> answer) {
        this.places = places;
        this.texts = texts;
        this.stack = new ChangeStack(ChangePanel.Folding.OPEN, texts);
        this.copy = copy;
        this.answer = answer;
        places.changes().getChildren().setAll(stack);
        places.questions().setVisible(false);
        places.notes().setVisible(false);
    }

    void show(StepView view, Instant now) {
        boolean other = !view.id().equals(step);
        step = view.id();
        if (other || !view.found().equals(found)) {
            showFound(view.found(), other);
        }
        if (other || !view.questions().equals(questions)) {
            questions = view.questions();
            places.questions().getChildren().setAll(view.questions().stream()
                    .map(q -> new QuestionPane(q, answer)).toList());
            places.questions().setVisible(!questions.isEmpty());
        }
        if (other || !view.notes().equals(notes)) {
            notes = view.notes();
            places.notes().getChildren().setAll(notes.stream().map(StepPane::note).toList());
            places.notes().setVisible(!notes.isEmpty());
        }
        places.counted().setText(view.counted());
        places.nothing().setText(view.nothing());
        places.nothing().setVisible(!view.nothing().isEmpty());
        places.later().setText(view.later());
        places.later().setVisible(!view.later().isEmpty());
        stack.pseudoClassStateChanged(LATER, !view.later().isEmpty());
        stack.show(view.changes());
        stack.setVisible(!view.changes().isEmpty());
        stack.setManaged(!view.changes().isEmpty());
        ages(now);
    }

    void ages(Instant now) {
        rows.forEach(row -> row.age(now));
    }

    /** A newer look keeps open what was open. */
    private void showFound(List<FoundLine> lines, boolean otherStep) {
        Set<String> open = otherStep ? Set.of() : rows.stream().filter(FoundRow::isOpen)
                .map(r -> r.line().name()).collect(Collectors.toSet());
        int focused = rows.stream().filter(Node::isFocused).findFirst().map(rows::indexOf).orElse(-1);
        rows = lines.stream().map(l -> new FoundRow(l, texts, copy)).toList();
        places.found().getChildren().setAll(rows);
        if (rows.isEmpty()) {
            Label none = new Label(texts.get("setup.found.none"));
            none.getStyleClass().add("found-none");
            places.found().getChildren().add(none);
        }
        rows.stream().filter(r -> open.contains(r.line().name())).forEach(FoundRow::toggle);
        if (!otherStep && focused >= 0 && focused < rows.size()) {
            rows.get(focused).requestFocus();
        }
        places.foundCount().setText(texts.count("setup.readings", lines.size()));
        found = lines;
    }

    private static Node note(String text) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.getStyleClass().add("note-text");
        FontIcon icon = new FontIcon(Feather.INFO);
        HBox place = new HBox(icon);
        place.getStyleClass().add("note-icon");
        HBox row = new HBox(8, place, label);
        row.setAlignment(Pos.TOP_LEFT);
        return row;
    }
}
