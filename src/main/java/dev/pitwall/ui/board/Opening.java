package dev.pitwall.ui.board;

import dev.pitwall.ui.page.FrameByFrame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The parts of the page that come into the scene one after the other, one a frame, when there is first something to show. */
final class Opening {

    private final Deque<Runnable> left;
    private final int parts;
    private final FrameByFrame frames = new FrameByFrame(this::next);

    Opening(List<Runnable> parts) {
        this.left = new ArrayDeque<>(parts);
        this.parts = left.size();
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
