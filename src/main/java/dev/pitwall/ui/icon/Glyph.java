package dev.pitwall.ui.icon;

import javafx.beans.NamedArg;
import javafx.scene.layout.Region;
import javafx.scene.shape.SVGPath;

/** One of Pitwall's own shapes as a node, 16 × 16, coloured by CSS ({@code -fx-stroke} or {@code -fx-fill} of its paths). */
public final class Glyph extends Region {

    private static final double SIZE = 16;

    public Glyph(@NamedArg("shape") Shape shape) {
        getStyleClass().addAll("glyph", shape.filled() ? "filled" : "stroked", shape.name().toLowerCase());
        for (String d : shape.paths()) {
            SVGPath path = new SVGPath();
            path.setContent(d);
            path.setManaged(false);
            path.getStyleClass().add("path-" + getChildren().size());
            getChildren().add(path);
        }
        setMinSize(SIZE, SIZE);
        setPrefSize(SIZE, SIZE);
        setMaxSize(SIZE, SIZE);
    }
}
