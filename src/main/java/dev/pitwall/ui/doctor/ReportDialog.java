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

/** Shows a report before it leaves Pitwall, so that a person sees what the masking left in it. */
final class ReportDialog {

    private final Desk desk;

    ReportDialog(Desk desk) {
        this.desk = desk;
    }

    void show(String report, Consumer<String> copy, Consumer<String> save) {
        Texts texts = desk.texts();
        Label words = new Label(texts.get("doctor.report.text"));
        words.setWrapText(true);
        words.getStyleClass().add("secondary");
        TextArea area = new TextArea(report);
        area.setId("report");
        area.setEditable(false);
        area.setWrapText(true);
        area.setAccessibleText(texts.get("doctor.report.title"));
        area.getStyleClass().addAll("code", "doctor-area");
        AskDialog dialog = new AskDialog(desk);
        dialog.show(texts.get("doctor.report.title"), new VBox(8, words, area),
                List.of(dialog.stay(texts.get("change.cancel")), button("doctor.report.copy", report, copy),
                        button("doctor.report.save", report, save)), area);
    }

    private Button button(String key, String report, Consumer<String> action) {
        Button button = new Button(desk.texts().get(key));
        button.setOnAction(_ -> {
            desk.overlay().close();
            action.accept(report);
        });
        return button;
    }
}
