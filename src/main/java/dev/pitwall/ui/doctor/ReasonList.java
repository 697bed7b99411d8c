package dev.pitwall.ui.doctor;

import dev.pitwall.ui.words.Texts;
import java.util.List;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The causes that a finding is not, and what says so. Of many the first few show. */
final class ReasonList extends VBox {

    private static final int AT_FIRST = 6;

    private final Texts texts;
    private List<FindingView.Reason> drawn = List.of();

    ReasonList(Texts texts) {
        this.texts = texts;
        getStyleClass().addAll("panel", "reasons");
        managedProperty().bind(visibleProperty());
    }

    void show(List<FindingView.Reason> reasons) {
        setVisible(!reasons.isEmpty());
        if (reasons.equals(drawn)) {
            return;
        }
        drawn = reasons;
        // One more would take the room of the button that hides it.
        int shown = reasons.size() <= AT_FIRST + 1 ? reasons.size() : AT_FIRST;
        getChildren().setAll(reasons.subList(0, shown).stream().map(ReasonList::row).toList());
        if (shown < reasons.size()) {
            Button more = new Button(texts.get("doctor.reasons.more", reasons.size() - shown));
            more.getStyleClass().setAll("code-gap");
            more.setMaxWidth(Double.MAX_VALUE);
            more.setOnAction(_ -> {
                getChildren().remove(more);
                getChildren().addAll(reasons.subList(shown, reasons.size()).stream().map(ReasonList::row).toList());
            });
            getChildren().add(more);
        }
    }

    private static HBox row(FindingView.Reason reason) {
        Label title = new Label(reason.title());
        Label because = new Label(reason.because());
        title.setWrapText(true);
        because.setWrapText(true);
        because.getStyleClass().add("secondary");
        VBox words = new VBox(1, title, because);
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        HBox row = new HBox(10, new FontIcon(Feather.X), words);
        row.getStyleClass().add("reason");
        row.setAccessibleRole(AccessibleRole.TEXT);
        row.setAccessibleText(reason.title() + ": " + reason.because());
        return row;
    }
}
