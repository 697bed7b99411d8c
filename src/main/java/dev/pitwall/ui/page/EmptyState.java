package dev.pitwall.ui.page;

import java.util.Optional;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/** What a page says when it has nothing to show: one sentence, one action, no picture. */
public final class EmptyState extends VBox {

    /** @param text   what is missing or why, may be empty */
    public EmptyState(String sentence, String text, String action, Runnable run) {
        this(sentence, text, Optional.of(button(action, run)));
    }

    private EmptyState(String sentence, String text, Optional<Button> action) {
        getStyleClass().add("empty-state");
        Label head = new Label(sentence);
        head.getStyleClass().add("empty-title");
        head.setWrapText(true);
        getChildren().add(head);
        if (!text.isEmpty()) {
            Label more = new Label(text);
            more.getStyleClass().add("empty-text");
            more.setWrapText(true);
            getChildren().add(more);
        }
        action.ifPresent(getChildren()::add);
    }

    private static Button button(String text, Runnable run) {
        Button button = new Button(text);
        button.setOnAction(_ -> run.run());
        return button;
    }
}
