package dev.pitwall.ui.page;

import java.util.function.BooleanSupplier;
import javafx.animation.AnimationTimer;

/**
 * Work in portions, one a frame, so that no frame is late. What is styled for the first time costs so much that a page built
 * at once is a window that does not react. To be used on the JavaFX thread.
 */
public final class FrameByFrame {

    private final BooleanSupplier portion;
    private final Turns turns;
    private final AnimationTimer timer = new AnimationTimer() {
        @Override
        public void handle(long now) {
            if (turns.take(FrameByFrame.this, now)) {
                next();
            }
        }
    };
    private boolean running;

    /** @param portion does the next portion; true while there may be more */
    public FrameByFrame(BooleanSupplier portion) {
        this(portion, new Turns());
    }

    /** @param turns of all that works on the same page */
    public FrameByFrame(BooleanSupplier portion, Turns turns) {
        this.portion = portion;
        this.turns = turns;
    }

    /** Goes on with the next frame, if it does not do so already. */
    public void start() {
        if (!running) {
            running = true;
            turns.join(this);
            timer.start();
        }
    }

    /** Does what is left now: for pictures, and for what cannot wait. */
    public void finish() {
        while (running) {
            next();
        }
    }

    private void next() {
        if (!portion.getAsBoolean()) {
            running = false;
            turns.leave(this);
            timer.stop();
        }
    }
}
