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
final class SampleFigures implements Figures {
    private final Instant now;

    private SampleFigures(Instant now) {
        this.now = now;
    }

    static Figures until(Instant now) {
        return new SampleFigures(now);
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
        return series.figure() == Figure.TOKENS ? List.of() : IntStream.range(0, 120).mapToObj(i -> {
            double value = most * (0.5 + 0.4 * Math.sin((i + series.subject().hashCode() % 50) / 9.0));
            return new Point(now.minusSeconds(3600 - i * 30L), value, value, value);
        }).toList();
    }

    @Override
    public void since(Series series, Instant from, Consumer<List<Point>> then) {
        then.accept(lastHour(series));
    }
}
