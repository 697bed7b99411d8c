package dev.pitwall.ui.setup;

import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.shell.Desk;
import java.util.List;
import java.util.function.Consumer;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.VBox;

/** Asks for the reason why a step is left out. Without one it stays. */
final class SkipDialog {

    private final Desk desk;

    SkipDialog(Desk desk) {
        this.desk = desk;
    }

    void ask(String step, Consumer<String> skip) {
        Label text = new Label(desk.texts().get("setup.skip.text"));
        text.setWrapText(true);
        text.getStyleClass().add("ask-text");
        TextField reason = new TextField();
        reason.setId("skip-reason");
        reason.setPromptText(desk.texts().get("setup.skip.prompt"));
        reason.setAccessibleText(desk.texts().get("setup.skip.reason"));
        Label name = new Label(desk.texts().get("setup.skip.reason"));
        name.getStyleClass().add("secondary");
        AskDialog dialogs = new AskDialog(desk);
        Button go = new Button(desk.texts().get("setup.skip.go"));
        go.getStyleClass().add("accent");
        go.disableProperty().bind(reason.textProperty().map(String::isBlank));
        go.setOnAction(_ -> {
            desk.overlay().close();
            skip.accept(reason.getText());
        });
        reason.setOnAction(_ -> go.fire());
        dialogs.show(desk.texts().get("setup.skip.title", step), new VBox(12, text, new VBox(4, name, reason)),
                List.of(dialogs.stay(desk.texts().get("change.cancel")), go), reason);
    }
}
