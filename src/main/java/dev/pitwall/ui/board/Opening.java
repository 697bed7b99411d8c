package dev.pitwall.ui.board;

import dev.pitwall.ui.page.FrameByFrame;
import dev.pitwall.ui.page.Turns;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The parts of the page that come into the scene one after the other, one a frame, when there is first something to show. */
final class Opening {

    private final Deque<Runnable> left;
    private final int parts;
    private final FrameByFrame frames;

    /** @param turns of all that works on the page */
    Opening(List<Runnable> parts, Turns turns) {
        this.left = new ArrayDeque<>(parts);
        this.parts = left.size();
        this.frames = new FrameByFrame(this::next, turns);
    }

    /** Begins, or goes on. */
    void start() {
        if (!left.isEmpty()) {
            frames.start();
        }
    }

    /** Brings in the first part now, if it is not there yet. */
    void begin() {
        if (!hasBegun()) {
            next();
        }
    }

    boolean hasBegun() {
        return left.size() < parts;
    }

    boolean isOver() {
        return left.isEmpty();
    }

    /** Brings in all that lacks now. */
    void finish() {
        start();
        frames.finish();
    }

    private boolean next() {
        left.removeFirst().run();
        return !left.isEmpty();
    }
}
