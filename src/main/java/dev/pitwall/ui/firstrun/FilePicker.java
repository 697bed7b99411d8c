package dev.pitwall.ui.firstrun;

import java.nio.file.Path;
import java.util.Optional;
import javafx.stage.Window;

/** Asks for a file. Behind an interface, since no headless platform has a file dialog. */
@FunctionalInterface
public interface FilePicker {

    /** @return empty if the person cancels */
    Optional<Path> pick(Window owner, String title);
}
