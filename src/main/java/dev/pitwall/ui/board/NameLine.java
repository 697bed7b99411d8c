package dev.pitwall.ui.board;

import javafx.scene.control.Label;
import javafx.scene.layout.Region;

/**
 * A name, and behind it where that is. The name has the room it needs, as far as its place keeps a share of the line; what is
 * too long for its part is cut.
 */
final class NameLine extends Region {

    private final Label name;
    private final Label place;
    private final Ends ends;
    private final double gap;
    private final double share;

    /** Where the place stands: behind the name, or at the end of the line. */
    enum Ends { TOGETHER, APART }

    /** @param share of the line that a long place keeps beside a long name, 0 to 1 */
    NameLine(Label name, Label place, Ends ends, double gap, double share) {
        this.name = name;
        this.place = place;
        this.ends = ends;
        this.gap = gap;
        this.share = share;
        getChildren().addAll(name, place);
    }

    @Override
    protected double computeMinWidth(double height) {
        return 0;
    }

    @Override
    protected void layoutChildren() {
        double all = getWidth() - snappedLeftInset() - snappedRightInset() - gap;
        double wanted = place.prefWidth(-1);
        double least = Math.min(wanted, all * share);
        double placeWidth = Math.max(0, Math.clamp(all - name.prefWidth(-1), Math.min(least, wanted), wanted));
        double nameWidth = Math.max(0, ends == Ends.APART ? all - placeWidth : Math.min(name.prefWidth(-1), all - placeWidth));
        put(name, snappedLeftInset(), nameWidth);
        put(place, snappedLeftInset() + nameWidth + gap, placeWidth);
    }

    private void put(Label label, double x, double width) {
        double height = label.prefHeight(-1);
        label.resizeRelocate(snapPositionX(x), Math.round((getHeight() - height) / 2), width, height);
    }
}
