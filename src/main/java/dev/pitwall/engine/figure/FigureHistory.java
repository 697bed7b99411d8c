package dev.pitwall.engine.figure;

import dev.pitwall.card.TroubleException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Keeps the curves of one site over a restart, the older the coarser ({@link Grain}). */
public interface FigureHistory {

    /** Keeps them and thins out what has become old by {@code now}: all of it or nothing. */
    void add(List<Sample> samples, Instant now) throws TroubleException;

    /** Every curve since then, the oldest point first. */
    Map<Series, List<Point>> since(Instant from) throws TroubleException;

    /** One curve since then, the oldest point first. */
    List<Point> since(Series series, Instant from) throws TroubleException;

    /** Keeps nothing: of sites that cannot be opened again. */
    FigureHistory NONE = new FigureHistory() {
        @Override
        public void add(List<Sample> samples, Instant now) {
            // Ends with the run.
        }

        @Override
        public Map<Series, List<Point>> since(Instant from) {
            return Map.of();
        }

        @Override
        public List<Point> since(Series series, Instant from) {
            return List.of();
        }
    };
}
