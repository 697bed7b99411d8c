package dev.pitwall.ui;

import javafx.scene.control.ToggleButton;

/** What a part of a segmented control does when it is chosen. */
public final class Choosing {
    private Choosing() {
    }

    /**
     * Runs an action each time the button becomes the chosen one, and keeps it chosen when it is pressed again. The arrow
     * keys of a toggle group choose without an action event, so {@code setOnAction} alone leaves the page behind what is
     * shown as chosen.
     */
    public static void whenChosen(ToggleButton button, Runnable action) {
        button.setOnAction(_ -> button.setSelected(true));
        button.selectedProperty().addListener((_, _, chosen) -> {
            if (chosen) {
                action.run();
            }
        });
    }
}
