package dev.pitwall.ui.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.figure.Point;
import dev.pitwall.engine.figure.Trend;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CurveTimeTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static List<Point> every(int seconds, int points) {
        return IntStream.rangeClosed(0, points - 1).mapToObj(i -> new Point(NOW.minusSeconds((long) seconds * i), 1, 1, 1)).toList();
    }

    @Test
    void theTimeEndsWhereNothingIsOlder() {
        assertThat(CurveTime.of(FigureSpan.HOUR, every(10, 7), NOW).over()).isEqualTo(Duration.ofMinutes(1));
        assertThat(CurveTime.of(FigureSpan.HOUR, every(10, 9), NOW).over()).isEqualTo(Duration.ofMinutes(2));
        assertThat(CurveTime.of(FigureSpan.MONTH, every(10, 9), NOW).over()).isEqualTo(Duration.ofMinutes(2));
        assertThat(CurveTime.of(FigureSpan.DAY, every(900, 20), NOW).over()).isEqualTo(Duration.ofHours(6));
    }

    @Test
    void whatIsAskedForIsTheMostAndStandsWithoutAnyPoint() {
        assertThat(CurveTime.of(FigureSpan.HOUR, List.of(), NOW).isWhole()).isTrue();
        assertThat(CurveTime.of(FigureSpan.HOUR, every(10, 360), NOW).isWhole()).isTrue();
        assertThat(CurveTime.of(FigureSpan.HOUR, every(60, 600), NOW).isWhole()).isTrue();
    }

    @Test
    void noBarBetweenTwoPointsStaysEmpty() {
        for (int points : List.of(2, 7, 9, 30, 61, 200)) {
            List<Point> all = every(10, points);
            CurveTime time = CurveTime.of(FigureSpan.HOUR, all, NOW);
            List<Double> bars = Trend.of(all, NOW, time.over(), time.bars(all, 54)).bars();
            List<Double> begun = bars.stream().dropWhile(b -> b.isNaN()).toList();
            assertThat(begun).as("%d points", points).isNotEmpty().noneMatch(b -> b.isNaN());
        }
        assertThat(CurveTime.of(FigureSpan.HOUR, every(10, 1), NOW).bars(every(10, 1), 54)).isEqualTo(6);
    }
}
