package dev.pitwall.ui.page;

import dev.pitwall.ui.shell.Overlay;
import dev.pitwall.ui.shell.PageContent;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** A page with a head and one thing below it. */
public final class PlainPage implements PageContent {

    private final BorderPane node = new BorderPane();
    private final StackPane body = new StackPane();

    public PlainPage(String title, Node content) {
        Label name = new Label(title);
        name.getStyleClass().add("page-title");
        HBox head = new HBox(name);
        head.getStyleClass().addAll("page-head", "lined");
        body.getStyleClass().add("page-body");
        node.getStyleClass().add("page");
        node.setTop(head);
        node.setCenter(body);
        show(content);
    }

    /** Replaces what is below the head; the keyboard stays below it. */
    public void show(Node content) {
        boolean here = Overlay.holdsFocus(body);
        body.getChildren().setAll(content);
        if (here) {
            // A scroll pane takes its content into the scene with its first styling.
            content.applyCss();
            Overlay.firstIn(content).orElse(node).requestFocus();
        }
    }

    /** A column of panels that scrolls where it does not fit. */
    public static ScrollPane column(Node... panels) {
        VBox column = new VBox(16, panels);
        column.getStyleClass().add("column");
        column.setAlignment(Pos.TOP_LEFT);
        ScrollPane scroll = new ScrollPane(column);
        scroll.setFitToWidth(true);
        scroll.getStyleClass().add("plain-scroll");
        return scroll;
    }

    @Override
    public Node node() {
        return node;
    }
}
