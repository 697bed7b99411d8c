package dev.pitwall.ui.page;

import javafx.geometry.Orientation;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;

/**
 * Two columns beside each other, as high as the higher needs at that width. Boxes and grids ask for the height that a column
 * with wrapped text needs at the width it would like, which leaves a page much too high.
 */
public final class TwoColumns extends Pane {

    private static final double BETWEEN = 24;

    private final Region left;
    private final Region right;
    private final double share;

    /** Two columns of one width. */
    public TwoColumns(Region left, Region right) {
        this(left, right, 0.5);
    }

    /** @param share what the left one has of the room, more than 0 and less than 1 */
    public TwoColumns(Region left, Region right, double share) {
        this.left = left;
        this.right = right;
        this.share = share;
        getChildren().addAll(left, right);
    }

    @Override
    public Orientation getContentBias() {
        return Orientation.HORIZONTAL;
    }

    private double first(double width) {
        return Math.max(0, snapSizeX((width - BETWEEN) * share));
    }

    private double second(double width) {
        return Math.max(0, width - BETWEEN - first(width));
    }

    @Override
    protected double computeMinWidth(double height) {
        return 0;
    }

    @Override
    protected double computePrefHeight(double width) {
        double all = width < 0 ? getWidth() : width;
        return Math.max(left.prefHeight(first(all)), right.prefHeight(second(all)));
    }

    @Override
    protected double computeMinHeight(double width) {
        return computePrefHeight(width);
    }

    @Override
    protected void layoutChildren() {
        double leftWidth = first(getWidth());
        double rightWidth = second(getWidth());
        left.resizeRelocate(0, 0, leftWidth, left.prefHeight(leftWidth));
        right.resizeRelocate(getWidth() - rightWidth, 0, rightWidth, right.prefHeight(rightWidth));
    }
}
