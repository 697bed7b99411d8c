package dev.pitwall.ui.connect;

import javafx.scene.Node;

/** The form of one system. */
interface SystemPane {

    Node node();

    /** Shows the model as it is now. */
    void draw();

    /** Where the keyboard starts. */
    Node firstFocus();
}
