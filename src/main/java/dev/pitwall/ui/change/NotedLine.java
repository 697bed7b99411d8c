package dev.pitwall.ui.change;

import javafx.geometry.Orientation;
import javafx.scene.control.Label;
import javafx.scene.layout.Pane;

/** A line with words about it at the right end. The words take what they need, but never so much that the line has no room. */
final class NotedLine extends Pane {

    private static final double BETWEEN = 12;
    private static final double MOST_WORDS = 0.44;

    private final Label line;
    private final Label words;

    NotedLine(Label line, Label words) {
        this.line = line;
        this.words = words;
        line.setWrapText(true);
        words.setWrapText(true);
        getChildren().addAll(line, words);
    }

    @Override
    public Orientation getContentBias() {
        return Orientation.HORIZONTAL;
    }

    private double wordsIn(double width) {
        // A label wraps at the very width it asks for, by the fraction of a pixel that is lost on the way.
        return snapSizeX(Math.min(words.prefWidth(-1) + 1, Math.max(0, width - BETWEEN) * MOST_WORDS));
    }

    private double lineIn(double width) {
        return Math.max(0, width - BETWEEN - wordsIn(width));
    }

    @Override
    protected double computeMinWidth(double height) {
        return 0;
    }

    @Override
    protected double computePrefWidth(double height) {
        return line.prefWidth(-1) + BETWEEN + words.prefWidth(-1);
    }

    @Override
    protected double computePrefHeight(double width) {
        double all = width < 0 ? computePrefWidth(-1) : width;
        return Math.max(line.prefHeight(lineIn(all)), words.prefHeight(wordsIn(all)));
    }

    @Override
    protected double computeMinHeight(double width) {
        return computePrefHeight(width);
    }

    @Override
    protected void layoutChildren() {
        double wide = wordsIn(getWidth());
        double rest = lineIn(getWidth());
        line.resizeRelocate(0, 0, rest, line.prefHeight(rest));
        words.resizeRelocate(getWidth() - wide, 0, wide, words.prefHeight(wide));
    }
}
