package dev.pitwall.ui.shell;

import java.util.List;
import javafx.scene.Node;

/** A page that the shell can show. It is made at its first show and then kept. */
public interface PageContent {

    Node node();

    /** The page is about to be seen, asked for no one thing. */
    default void shown() {
    }

    /** The page is asked to show one thing. */
    default void show(Subject subject) {
    }

    /** The page shows, and the site has changed or a second has passed. */
    default void draw() {
    }

    /** True once it shows what it has to read for itself: for pictures, which are taken once. */
    default boolean settled() {
        return true;
    }

    /** Draws everything in sight at once: for pictures. */
    default void drawAll() {
    }

    /** Where the keyboard starts: at the first thing it can reach. Asked for after the page's first styling. */
    default Node firstFocus() {
        return Overlay.firstIn(node()).orElse(node());
    }

    /** The keyboard has come here by a key: the page shows where it is. */
    default void focusedByKey() {
    }

    default List<KeyHint> hints() {
        return List.of();
    }
}
