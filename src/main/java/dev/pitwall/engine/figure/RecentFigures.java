package dev.pitwall.engine.figure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The last hour of every curve, and what of it is not kept yet. Not thread-safe; reads no clock. */
final class RecentFigures {
    /** Sources that are asked more often say little more; so an hour of a curve has at most 360 points. */
    static final Duration APART = Duration.ofSeconds(10);

    private static final class Curve {
        private final Deque<Point> points = new ArrayDeque<>();
        private Instant told = Instant.MIN;
    }

    private final Map<Series, Curve> curves = new HashMap<>();
    private List<Sample> fresh = new ArrayList<>();

    /** What an earlier run has left. */
    void begin(Map<Series, List<Point>> earlier) {
        earlier.forEach((series, points) -> {
            Deque<Point> all = curves.computeIfAbsent(series, _ -> new Curve()).points;
            points.reversed().stream().filter(p -> all.isEmpty() || p.at().isBefore(all.getFirst().at()))
                    .forEach(all::addFirst);
        });
    }

    /** Takes what its source has not told before, as long as it is not too soon after the last. */
    void take(List<Measured> all, Instant now) {
        for (Measured measured : all) {
            Curve curve = curves.computeIfAbsent(measured.series(), _ -> new Curve());
            boolean soon = !curve.points.isEmpty() && now.isBefore(curve.points.getLast().at().plus(APART));
            if (!measured.by().equals(curve.told) && !soon) {
                curve.told = measured.by();
                Sample sample = new Sample(measured.series(), now, measured.value());
                curve.points.addLast(Point.of(sample));
                fresh.add(sample);
            }
        }
        Instant oldest = Grain.SAMPLE.end(now);
        curves.values().removeIf(curve -> {
            while (!curve.points.isEmpty() && curve.points.getFirst().at().isBefore(oldest)) {
                curve.points.removeFirst();
            }
            return curve.points.isEmpty();
        });
    }

    /** What has come since this was asked last. */
    List<Sample> fresh() {
        List<Sample> all = fresh;
        fresh = new ArrayList<>();
        return all;
    }

    /** What could not be kept: it is tried again with the next. Only the last hour of it. */
    void again(List<Sample> unkept, Instant now) {
        Instant oldest = Grain.SAMPLE.end(now);
        List<Sample> all = new ArrayList<>(unkept.stream().filter(s -> !s.at().isBefore(oldest)).toList());
        all.addAll(fresh);
        fresh = all;
    }

    List<Point> of(Series series) {
        Curve curve = curves.get(series);
        return curve == null ? List.of() : List.copyOf(curve.points);
    }
}
