package dev.pitwall.ui.board;

import dev.pitwall.ui.theme.Motion;
import java.util.function.DoubleConsumer;
import javafx.animation.Interpolator;
import javafx.animation.Transition;
import javafx.util.Duration;

/** Takes a drawing from what it shows to what it is to show, in 200 ms, or at once where nothing may move. */
final class Glide extends Transition {

    private static final Duration TIME = Duration.millis(200);

    private final DoubleConsumer way;

    /** @param way draws the share of the way that is done, 0 to 1 */
    Glide(DoubleConsumer way) {
        this.way = way;
        setCycleDuration(TIME);
        setInterpolator(Interpolator.EASE_OUT);
    }

    void start(Motion motion) {
        stop();
        switch (motion) {
            case FULL -> playFromStart();
            case NONE -> way.accept(1);
        }
    }

    /** Is there at once. */
    void settle() {
        if (getStatus() == Status.RUNNING) {
            start(Motion.NONE);
        }
    }

    @Override
    protected void interpolate(double share) {
        way.accept(share);
    }
}
