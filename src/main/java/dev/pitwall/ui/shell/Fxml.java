package dev.pitwall.ui.shell;

import dev.pitwall.ui.words.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import javafx.fxml.FXMLLoader;

/** Loads a page's FXML with the controller it is given. */
public final class Fxml {

    private Fxml() {
    }

    /** @param name file in {@code /fxml} without its ending */
    public static <N> N load(String name, Object controller, Texts texts) {
        FXMLLoader loader = new FXMLLoader(Fxml.class.getResource("/fxml/" + name + ".fxml"), texts.bundle());
        loader.setControllerFactory(type -> {
            if (!type.isInstance(controller)) {
                throw new IllegalStateException(name + ".fxml wants a " + type.getName());
            }
            return controller;
        });
        try {
            return loader.load();
        } catch (IOException e) {
            throw new UncheckedIOException(name + ".fxml does not load", e);
        }
    }
}
