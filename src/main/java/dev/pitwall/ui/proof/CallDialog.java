package dev.pitwall.ui.proof;

import dev.pitwall.journey.proof.RollCall;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.shell.Desk;
import java.util.List;
import java.util.function.Consumer;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/** Asks what becomes of what holds a card, before it is proved anew. */
public final class CallDialog {

    private final Desk desk;

    public CallDialog(Desk desk) {
        this.desk = desk;
    }

    public void ask(String title, Consumer<RollCall.Held> call) {
        VBox words = new VBox(8, wrapped(desk.texts().get("proof.ask.text")), wrapped(desk.texts().get("proof.ask.held")));
        AskDialog dialogs = new AskDialog(desk);
        Button leave = new Button(desk.texts().get("proof.ask.leave"));
        leave.setId("call-leave");
        leave.getStyleClass().add("accent");
        leave.setOnAction(_ -> go(RollCall.Held.LEFT, call));
        Button pause = AskDialog.danger(desk.texts().get("proof.ask.pause"));
        pause.setId("call-pause");
        pause.setOnAction(_ -> go(RollCall.Held.PAUSED, call));
        dialogs.show(title, words, List.of(dialogs.stay(desk.texts().get("change.cancel")), pause, leave), leave);
    }

    private void go(RollCall.Held what, Consumer<RollCall.Held> call) {
        desk.overlay().close();
        call.accept(what);
    }

    private static Label wrapped(String text) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.getStyleClass().add("ask-text");
        return label;
    }
}
