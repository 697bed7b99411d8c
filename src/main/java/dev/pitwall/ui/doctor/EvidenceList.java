package dev.pitwall.ui.doctor;

import dev.pitwall.ui.change.CodeBlock;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.function.Consumer;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The readings that prove a finding, a panel each; drawn anew only when they are others. */
final class EvidenceList extends VBox {

    private final Texts texts;
    private final Consumer<String> copy;
    private List<EvidencePanel> drawn = List.of();

    /** @param copy takes a text to the clipboard */
    EvidenceList(Texts texts, Consumer<String> copy) {
        this.texts = texts;
        this.copy = copy;
        getStyleClass().add("evidence");
    }

    void show(List<EvidencePanel> panels) {
        if (!panels.equals(drawn)) {
            drawn = panels;
            getChildren().setAll(panels.stream().map(this::panel).toList());
        }
    }

    private VBox panel(EvidencePanel panel) {
        String name = panel.name().isEmpty() ? texts.get("doctor.compared") : panel.name();
        Label title = new Label(name);
        title.getStyleClass().add("change-code");
        title.setMinWidth(0);
        title.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(title, Priority.ALWAYS);
        Button take = new Button();
        take.setGraphic(new FontIcon(Feather.COPY));
        take.getStyleClass().setAll("icon-button");
        take.setAccessibleText(texts.get("doctor.copy-reading", name));
        take.setTooltip(new Tooltip(texts.get("doctor.copy-reading", name)));
        take.setOnAction(_ -> copy.accept(panel.text()));
        HBox head = new HBox(8, new FontIcon(icon(panel)), title, take);
        head.getStyleClass().add("change-head");
        VBox body = new VBox(new CodeBlock(panel.lines(), texts));
        body.getStyleClass().add("change-body");
        VBox all = new VBox(head, body);
        all.getStyleClass().add("change");
        all.setAccessibleRole(AccessibleRole.TEXT);
        all.setAccessibleText(name + "\n" + panel.text());
        return all;
    }

    private static Feather icon(EvidencePanel panel) {
        if (panel.name().isEmpty()) {
            return Feather.GIT_PULL_REQUEST;
        }
        return panel.lines().stream().anyMatch(l -> !l.number().isEmpty()) ? Feather.FILE_TEXT : Feather.BOX;
    }
}
