package dev.pitwall.ui.change;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.function.Consumer;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** Shows what the undo of a run would do now, and does it only then. */
public final class UndoDialog {

    private final Desk desk;
    private final Texts texts;
    private final AskDialog dialogs;
    private final ChangeLines lines;
    private final Effects effects;

    /** Where the plan comes from. */
    public interface Plans {
        /** The answer comes later, in the window's thread. */
        void undoPlan(long run, Consumer<Answered<UndoPlan>> answer);
    }

    public UndoDialog(Desk desk) {
        this.desk = desk;
        this.texts = desk.texts();
        this.dialogs = new AskDialog(desk);
        this.lines = new ChangeLines(texts);
        this.effects = new Effects(texts);
    }

    /** @param undo takes the run back */
    public void ask(long run, Plans plans, Runnable undo) {
        VBox content = new VBox(12, words(texts.get("change.undo.reading"), "muted"));
        Button go = AskDialog.danger(texts.get("change.undo"));
        go.setDisable(true);
        go.setOnAction(_ -> {
            desk.overlay().close();
            undo.run();
        });
        Button stay = dialogs.stay(texts.get("change.cancel"));
        dialogs.show(texts.get("change.undo-run", run), content, List.of(stay, go), stay);
        plans.undoPlan(run, answer -> {
            switch (answer) {
                case Answered.Got<UndoPlan>(UndoPlan plan) -> fill(content, go, plan);
                case Answered.Troubled<UndoPlan>(Trouble trouble) -> content.getChildren()
                        .setAll(words(trouble.sentence(), "strong"), words(trouble.next(), "secondary"));
            }
        });
    }

    private void fill(VBox content, Button go, UndoPlan plan) {
        content.getChildren().clear();
        plan.refusal().ifPresent(why -> content.getChildren().add(words(texts.get("change.undo.refused", why), "strong")));
        if (plan.refusal().isEmpty()) {
            content.getChildren().add(head(plan));
        }
        ChangeStack stack = new ChangeStack(ChangePanel.Folding.CLOSED, texts);
        stack.show(lines.of(plan.changes()));
        if (!plan.changes().isEmpty()) {
            ScrollPane scroll = new ScrollPane(stack);
            scroll.setFitToWidth(true);
            scroll.getStyleClass().addAll("plain-scroll", "ask-scroll");
            content.getChildren().add(scroll);
        }
        go.setText(effects.button(texts.get("change.undo"), plan.changes()));
        go.setDisable(plan.refusal().isPresent());
    }

    private HBox head(UndoPlan plan) {
        Label what = words(plan.changes().isEmpty() ? texts.get("change.undo.nothing")
                : texts.count("change.undo.plan", plan.changes().size()), "secondary");
        HBox head = new HBox(8, what);
        head.setAlignment(Pos.CENTER_LEFT);
        Severity severity = Effects.severity(plan.changes());
        if (severity != Severity.NONE) {
            head.getChildren().add(new RiskChip(severity, effects.chip(plan.changes())));
        }
        return head;
    }

    private static Label words(String text, String styleClass) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
