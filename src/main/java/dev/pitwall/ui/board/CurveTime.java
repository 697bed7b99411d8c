package dev.pitwall.ui.board;

import dev.pitwall.engine.figure.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** The time that curves show: what was asked for, or less where nothing is as old, so that a first minute is no tick. Pure. */
record CurveTime(FigureSpan asked, Duration over) {

    /** Round times a curve may show, in minutes. */
    private static final long[] ROUND = {1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 180, 360, 720, 1440, 2880, 4320, 10_080, 20_160,
        43_200};
    /** A bar is a little wider than the time between two points, or some bars stay empty. */
    private static final double SLACK = 1.25;
    private static final int FEWEST_BARS = 6;

    /** @param points of all curves that stand over each other */
    static CurveTime of(FigureSpan asked, List<Point> points, Instant now) {
        Optional<Instant> oldest = points.stream().map(Point::at)
                .filter(at -> !at.isAfter(now) && !at.isBefore(now.minus(asked.time()))).min(Instant::compareTo);
        Duration age = oldest.map(at -> Duration.between(at, now)).orElse(asked.time());
        Duration round = LongStream.of(ROUND).mapToObj(Duration::ofMinutes).filter(d -> d.compareTo(age) >= 0).findFirst()
                .orElse(asked.time());
        return new CurveTime(asked, round.compareTo(asked.time()) < 0 ? round : asked.time());
    }

    boolean isWhole() {
        return over.equals(asked.time());
    }

    /** As many bars as there are points for, within 6 and {@code most}. */
    int bars(List<Point> points, int most) {
        List<Instant> times = points.stream().map(Point::at).distinct().sorted().toList();
        if (times.size() < 2) {
            return Math.min(FEWEST_BARS, most);
        }
        double between = Duration.between(times.getFirst(), times.getLast()).toMillis() / (double) (times.size() - 1);
        return (int) Math.clamp(over.toMillis() / (between * SLACK), Math.min(FEWEST_BARS, most), most);
    }
}
