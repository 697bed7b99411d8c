package dev.pitwall.ui;

import dev.pitwall.ui.firstrun.FilePicker;
import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import javafx.stage.DirectoryChooser;
import javafx.stage.FileChooser;
import javafx.stage.Window;

/** The file dialogs of the desktop. */
final class FileDialogs implements FilePicker {

    @Override
    public Optional<Path> pick(Window owner, String title) {
        return Optional.ofNullable(titled(title).showOpenDialog(owner)).map(File::toPath);
    }

    @Override
    public Optional<Path> pickFolder(Window owner, String title) {
        DirectoryChooser chooser = new DirectoryChooser();
        chooser.setTitle(title);
        return Optional.ofNullable(chooser.showDialog(owner)).map(File::toPath);
    }

    @Override
    public Optional<Path> save(Window owner, String title, String name) {
        FileChooser chooser = titled(title);
        chooser.setInitialFileName(name);
        return Optional.ofNullable(chooser.showSaveDialog(owner)).map(File::toPath);
    }

    private static FileChooser titled(String title) {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(title);
        return chooser;
    }
}
