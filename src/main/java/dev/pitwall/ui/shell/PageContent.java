package dev.pitwall.ui.shell;

import java.util.List;
import javafx.scene.Node;

/** A page that the shell can show. It is made at its first show and then kept. */
public interface PageContent {

    Node node();

    /** The page is about to be seen. */
    default void shown() {
    }

    /** The page is asked to show one thing. */
    default void show(Subject subject) {
    }

    /** The page shows, and the site has changed or a second has passed. */
    default void draw() {
    }

    /** Where the keyboard starts. */
    default Node firstFocus() {
        return node();
    }

    default List<KeyHint> hints() {
        return List.of();
    }
}
