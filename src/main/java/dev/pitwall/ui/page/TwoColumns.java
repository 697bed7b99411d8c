package dev.pitwall.ui.page;

import javafx.geometry.Orientation;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;

/**
 * Two columns of one width, as high as the higher needs at that width. Boxes and grids ask for the height that a column
 * with wrapped text needs at the width it would like, which leaves a page much too high.
 */
public final class TwoColumns extends Pane {

    private static final double BETWEEN = 24;

    private final Region left;
    private final Region right;

    public TwoColumns(Region left, Region right) {
        this.left = left;
        this.right = right;
        getChildren().addAll(left, right);
    }

    @Override
    public Orientation getContentBias() {
        return Orientation.HORIZONTAL;
    }

    private double column(double width) {
        return Math.max(0, snapSizeX((width - BETWEEN) / 2));
    }

    @Override
    protected double computeMinWidth(double height) {
        return 0;
    }

    @Override
    protected double computePrefHeight(double width) {
        double column = column(width < 0 ? getWidth() : width);
        return Math.max(left.prefHeight(column), right.prefHeight(column));
    }

    @Override
    protected double computeMinHeight(double width) {
        return computePrefHeight(width);
    }

    @Override
    protected void layoutChildren() {
        double column = column(getWidth());
        left.resizeRelocate(0, 0, column, left.prefHeight(column));
        right.resizeRelocate(getWidth() - column, 0, column, right.prefHeight(column));
    }
}
