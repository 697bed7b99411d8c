package dev.pitwall.ui.setup;

import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.change.ChangeLines;
import dev.pitwall.ui.change.ChangePanel;
import dev.pitwall.ui.change.ChangeStack;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.change.RiskChip;
import dev.pitwall.ui.change.Severity;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Shows all that one run would make of several steps, step by step, and asks once for all of it. */
final class AscentDialog {

    private final Texts texts;
    private final AskDialog dialogs;
    private final ChangeLines lines;
    private final Effects effects;
    private final Desk desk;

    AscentDialog(Desk desk) {
        this.desk = desk;
        this.texts = desk.texts();
        this.dialogs = new AskDialog(desk);
        this.lines = new ChangeLines(texts);
        this.effects = new Effects(texts);
    }

    /** @param go makes it */
    void ask(Effects.Question question, Ascent ascent, Runnable go) {
        VBox content = new VBox(12, head(ascent));
        question.sentences().forEach(s -> content.getChildren().add(words(s, "ask-text")));
        ScrollPane scroll = new ScrollPane(parts(ascent));
        scroll.setFitToWidth(true);
        scroll.setAccessibleText(texts.get("setup.ascent.list"));
        scroll.getStyleClass().addAll("plain-scroll", "ask-scroll");
        content.getChildren().add(scroll);
        Button yes = button(question.button(), ascent);
        yes.setId("make");
        yes.setOnAction(_ -> {
            desk.overlay().close();
            go.run();
        });
        Button stay = dialogs.stay(texts.get("change.cancel"));
        dialogs.show(question.title(), content, List.of(stay, yes), stay);
    }

    private static Button button(String text, Ascent ascent) {
        if (Effects.needsYes(ascent.all())) {
            return AskDialog.danger(text);
        }
        Button button = new Button(text);
        button.getStyleClass().add("accent");
        return button;
    }

    private HBox head(Ascent ascent) {
        HBox head = new HBox(8, words(texts.get("setup.ascent.counted", texts.count("setup.ascent.changes",
                ascent.all().size()), texts.count("setup.ascent.steps", ascent.now().size() + ascent.later().size())), "secondary"));
        head.setAlignment(Pos.CENTER_LEFT);
        head.setMinHeight(Region.USE_PREF_SIZE);
        Severity severity = Effects.severity(ascent.all());
        if (severity != Severity.NONE) {
            head.getChildren().add(new RiskChip(severity, effects.chip(ascent.all())));
        }
        return head;
    }

    private VBox parts(Ascent ascent) {
        VBox parts = new VBox(8);
        ascent.now().forEach(part -> add(parts, part, new VBox(title(part))));
        if (!ascent.later().isEmpty()) {
            parts.getChildren().add(words(texts.get("setup.walk.later"), "ascent-later"));
            ascent.later().forEach(part -> add(parts, part, new VBox(title(part), words(part.why(), "secondary"))));
        }
        return parts;
    }

    private static Label title(Ascent.Part part) {
        return words(part.title(), "section");
    }

    private void add(VBox parts, Ascent.Part part, VBox head) {
        parts.getChildren().add(head);
        if (!part.changes().isEmpty()) {
            ChangeStack stack = new ChangeStack(ChangePanel.Folding.CLOSED, texts);
            stack.show(lines.of(part.changes()));
            parts.getChildren().add(stack);
        }
    }

    private static Label words(String text, String styleClass) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
