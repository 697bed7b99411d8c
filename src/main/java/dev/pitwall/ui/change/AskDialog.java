package dev.pitwall.ui.change;

import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Overlay;
import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/**
 * A dialog over the page that asks before something is done. Its first button leaves everything as it is, and has the
 * keyboard at the start; the other one names what it does.
 */
public final class AskDialog {

    private final Desk desk;

    public AskDialog(Desk desk) {
        this.desk = desk;
    }

    /** Asks before changes that stop something. */
    public void ask(Effects.Question question, Runnable yes) {
        VBox sentences = new VBox(8);
        question.sentences().forEach(s -> sentences.getChildren().add(wrapped(s, "ask-text")));
        Button go = danger(question.button());
        go.setOnAction(_ -> {
            desk.overlay().close();
            yes.run();
        });
        Button stay = stay(desk.texts().get("change.cancel"));
        show(question.title(), sentences, List.of(stay, go), stay);
    }

    /** A button that does what cannot simply be clicked away: filled, in the colour of danger. */
    public static Button danger(String text) {
        Button button = new Button(text);
        button.getStyleClass().add("danger-fill");
        return button;
    }

    /** Leaves everything as it is. */
    public Button stay(String text) {
        Button button = new Button(text);
        button.setOnAction(_ -> desk.overlay().close());
        return button;
    }

    /**
     * Shows a dialog.
     *
     * @param first where the keyboard starts
     */
    public void show(String title, Region content, List<Button> buttons, Node first) {
        Label head = wrapped(title, "dialog-title");
        HBox row = new HBox(8);
        row.setAlignment(Pos.CENTER_RIGHT);
        row.setMinHeight(Region.USE_PREF_SIZE);
        row.getChildren().addAll(buttons);
        VBox dialog = new VBox(16, head, content, row);
        dialog.getStyleClass().add("ask-dialog");
        dialog.setMaxHeight(Region.USE_PREF_SIZE);
        desk.overlay().show(dialog, Pos.CENTER, first, Overlay.Dismissal.ESCAPE, () -> { });
    }

    private static Label wrapped(String text, String styleClass) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
