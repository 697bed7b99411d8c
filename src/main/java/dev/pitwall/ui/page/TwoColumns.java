package dev.pitwall.ui.page;

import javafx.scene.Node;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;

/**
 * Two columns of one width, as high as the higher needs at that width. A box with two children that wrap would ask for the
 * height that they need at the width they would like.
 */
public final class TwoColumns extends GridPane {

    private static final double BETWEEN = 24;
    private static final double HALF = 50;

    public TwoColumns(Node left, Node right) {
        setHgap(BETWEEN);
        for (Node column : new Node[] {left, right}) {
            ColumnConstraints half = new ColumnConstraints();
            half.setPercentWidth(HALF);
            getColumnConstraints().add(half);
            GridPane.setFillWidth(column, true);
        }
        add(left, 0, 0);
        add(right, 1, 0);
    }
}
