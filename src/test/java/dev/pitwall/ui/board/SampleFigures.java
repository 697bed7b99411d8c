package dev.pitwall.ui.board;

import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.figure.Figures;
import dev.pitwall.engine.figure.Point;
import dev.pitwall.engine.figure.Series;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Curves that rise and fall, the same at every time. */
public final class SampleFigures implements Figures {
    private final Instant now;
    private final int points;
    private final int seconds;

    private SampleFigures(Instant now, int points, int seconds) {
        this.now = now;
        this.points = points;
        this.seconds = seconds;
    }

    static Figures until(Instant now) {
        return new SampleFigures(now, 120, 30);
    }

    /** Of so many points only, ten seconds from one to the next. */
    public static Figures newest(Instant now, int points) {
        return new SampleFigures(now, points, 10);
    }

    @Override
    public List<Point> lastHour(Series series) {
        double most = switch (series.figure()) {
            case MEMORY -> 20_000;
            case UTILISATION -> 1;
            case TEMPERATURE -> 70;
            case POWER -> 300;
            case TOKENS -> 90;
        };
        return series.figure() == Figure.TOKENS ? List.of() : IntStream.range(0, points).mapToObj(i -> {
            double value = most * (0.5 + 0.4 * Math.sin((i + series.subject().hashCode() % 50) / 9.0));
            return new Point(now.minusSeconds((points - i) * (long) seconds), value, value, value);
        }).toList();
    }

    @Override
    public void since(Series series, Instant from, Consumer<List<Point>> then) {
        then.accept(lastHour(series));
    }
}
