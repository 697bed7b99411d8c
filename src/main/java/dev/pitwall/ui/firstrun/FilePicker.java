package dev.pitwall.ui.firstrun;

import java.nio.file.Path;
import java.util.Optional;
import javafx.stage.Window;

/** Asks for a file. Behind an interface, since no headless platform has a file dialog. */
public interface FilePicker {

    /** Nobody is there to choose: for pictures and tests. */
    FilePicker NOBODY = new FilePicker() {
        @Override
        public Optional<Path> pick(Window owner, String title) {
            return Optional.empty();
        }

        @Override
        public Optional<Path> save(Window owner, String title, String name) {
            return Optional.empty();
        }
    };

    /** @return empty if the person cancels */
    Optional<Path> pick(Window owner, String title);

    /** Asks for a folder; where nobody can be asked, none is chosen. */
    default Optional<Path> pickFolder(Window owner, String title) {
        return Optional.empty();
    }

    /**
     * Asks where a file is to be written.
     *
     * @param name what is offered as its name
     * @return empty if the person cancels
     */
    Optional<Path> save(Window owner, String title, String name);
}
