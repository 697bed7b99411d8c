package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.RadioButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** Asks which card something is to be put on: every card with its answer, as during a drag. */
final class TargetDialog {

    private final Desk desk;
    private final Texts texts;

    TargetDialog(Desk desk) {
        this.desk = desk;
        this.texts = desk.texts();
    }

    /** A card and what it says. */
    record Target(ColumnLine column, Answer answer) {
    }

    /** @param button what the dialog's button does */
    void show(String title, String button, List<Target> targets, Consumer<ProviderId> chosen) {
        ToggleGroup group = new ToggleGroup();
        Button go = new Button(button);
        go.getStyleClass().add("accent");
        go.setDisable(true);
        group.selectedToggleProperty().addListener((_, _, now) -> go.setDisable(now == null));
        VBox rows = new VBox(4);
        List<RadioButton> free = new ArrayList<>();
        for (Target target : targets) {
            RadioButton radio = new RadioButton(target.column().group() + " · " + target.column().called());
            radio.setMnemonicParsing(false);
            radio.setToggleGroup(group);
            radio.setUserData(target.column().id());
            radio.setDisable(!possible(target.answer()));
            radio.setAccessibleText(radio.getText() + ". " + target.answer().title() + ". " + target.answer().text());
            if (!radio.isDisable()) {
                free.add(radio);
            }
            rows.getChildren().add(row(radio, target.answer()));
        }
        go.setOnAction(_ -> Optional.ofNullable(group.getSelectedToggle()).ifPresent(toggle -> {
            desk.overlay().close();
            targets.stream().map(t -> t.column().id()).filter(toggle.getUserData()::equals).findFirst().ifPresent(chosen);
        }));
        ScrollPane scroll = new ScrollPane(rows);
        scroll.setFitToWidth(true);
        scroll.getStyleClass().addAll("plain-scroll", "ask-scroll");
        AskDialog dialog = new AskDialog(desk);
        Button stay = dialog.stay(texts.get("change.cancel"));
        Node first = free.isEmpty() ? stay : free.getFirst();
        dialog.show(title, scroll, List.of(stay, go), first);
    }

    static boolean possible(Answer answer) {
        return switch (answer.kind()) {
            case FITS, EVICTS -> true;
            case REFUSED, HERE -> false;
        };
    }

    private static Node row(RadioButton radio, Answer answer) {
        Label words = new Label(answer.text().isEmpty() ? answer.title() : answer.title() + ". " + answer.text());
        words.setWrapText(true);
        words.setMinHeight(Label.USE_PREF_SIZE);
        words.getStyleClass().add("secondary");
        HBox.setHgrow(words, Priority.ALWAYS);
        MarkIcon mark = new MarkIcon();
        mark.show(switch (answer.kind()) {
            case FITS -> Mark.OK;
            case EVICTS -> Mark.LEAVES;
            case REFUSED -> Mark.REFUSED;
            case HERE -> Mark.MINUS;
        }, OptionalDouble.empty());
        HBox said = new HBox(6, mark, words);
        said.getStyleClass().add("target-said");
        VBox row = new VBox(2, radio, said);
        row.getStyleClass().add("target-row");
        return row;
    }
}
