package dev.pitwall.ui.page;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lets those that work {@link FrameByFrame} on one page take turns, one a frame: each keeps to what a frame can bear, but not
 * all of them together. To be used on the JavaFX thread.
 */
public final class Turns {

    private final Deque<FrameByFrame> waiting = new ArrayDeque<>();
    private long frame;

    void join(FrameByFrame work) {
        waiting.addLast(work);
    }

    void leave(FrameByFrame work) {
        waiting.remove(work);
    }

    /** @param now the frame, as an animation timer has it; true for the one that has waited longest */
    boolean take(FrameByFrame work, long now) {
        if (now == frame || waiting.peekFirst() != work) {
            return false;
        }
        frame = now;
        waiting.addLast(waiting.removeFirst());
        return true;
    }
}
