package dev.pitwall.ui.doctor;

import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.function.Consumer;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextArea;
import javafx.scene.layout.VBox;

/** Takes any output that somebody pastes: a log, several outputs with the prompts between them. */
final class PasteDialog {

    private final Desk desk;

    PasteDialog(Desk desk) {
        this.desk = desk;
    }

    /** @param judge gets the text */
    void ask(Consumer<String> judge) {
        Texts texts = desk.texts();
        Label words = new Label(texts.get("doctor.paste.text"));
        words.setWrapText(true);
        words.getStyleClass().add("secondary");
        TextArea area = new TextArea();
        area.setId("pasted");
        area.setPromptText(texts.get("doctor.paste.prompt"));
        area.setAccessibleText(texts.get("doctor.paste.text"));
        area.getStyleClass().addAll("code", "doctor-area");
        Button go = new Button(texts.get("doctor.paste.go"));
        go.setId("judge");
        go.getStyleClass().add("accent");
        go.disableProperty().bind(area.textProperty().map(String::isBlank));
        go.setOnAction(_ -> {
            String text = area.getText();
            desk.overlay().close();
            judge.accept(text);
        });
        AskDialog dialog = new AskDialog(desk);
        dialog.show(texts.get("doctor.paste.title"), new VBox(8, words, area),
                List.of(dialog.stay(texts.get("change.cancel")), go), area);
    }
}
