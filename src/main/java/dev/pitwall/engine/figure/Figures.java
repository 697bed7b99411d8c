package dev.pitwall.engine.figure;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** The curves of a site. Thread-safe; nothing here blocks. */
public interface Figures {

    /** The last hour, the oldest point first; empty where nothing was measured. */
    List<Point> lastHour(Series series);

    /**
     * Reads a longer time.
     *
     * @param then gets the points, the oldest first, on a thread of whoever keeps them; never called once all is closed
     */
    void since(Series series, Instant from, Consumer<List<Point>> then);

    /** Nothing is measured. */
    Figures NONE = new Figures() {
        @Override
        public List<Point> lastHour(Series series) {
            return List.of();
        }

        @Override
        public void since(Series series, Instant from, Consumer<List<Point>> then) {
            then.accept(List.of());
        }
    };
}
