package dev.pitwall.ui;

import dev.pitwall.card.Trouble;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.Desk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import javafx.scene.Node;

/** Writes a text into a file that the person chooses, and says how that went. */
public final class SavedFile {

    private final Desk desk;
    private final FilePicker picker;
    private final Executor background;

    public SavedFile(Desk desk, FilePicker picker, Executor background) {
        this.desk = desk;
        this.picker = picker;
        this.background = background;
    }

    /**
     * @param from  a node of the window that asks
     * @param title of the dialog
     * @param name  what is offered as the file's name
     */
    public void save(Node from, String title, String name, String text) {
        picker.save(from.getScene().getWindow(), title, name)
                .ifPresent(file -> background.execute(() -> write(file, text)));
    }

    private void write(Path file, String text) {
        try {
            Files.writeString(file, text);
            desk.ui().run(() -> desk.notices().tell(desk.texts().get("notice.saved", file)));
        } catch (IOException e) {
            desk.ui().run(() -> desk.notices().trouble(new Trouble(Trouble.Kind.RIGHTS, file.toString(),
                    desk.texts().get("notice.not-saved"), desk.texts().get("notice.not-saved.next"))));
        }
    }
}
