package dev.pitwall.engine.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final Series HEAT = new Series("pve1/0000:01:00", Figure.TEMPERATURE);

    private static List<Measured> heat(Instant by, double value) {
        return List.of(new Measured(HEAT, by, value));
    }

    @Test
    void whatASourceTellsTwiceIsOneSampleAndWhatComesTooSoonIsNone() {
        RecentFigures recent = new RecentFigures();
        recent.take(heat(NOON, 40), NOON);
        recent.take(heat(NOON, 40), NOON.plusSeconds(20));
        recent.take(heat(NOON.plusSeconds(30), 45), NOON.plusSeconds(30));
        recent.take(heat(NOON.plusSeconds(32), 46), NOON.plusSeconds(32));
        assertThat(recent.of(HEAT)).extracting(Point::mean).containsExactly(40.0, 45.0);
        assertThat(recent.fresh()).hasSize(2);
        assertThat(recent.fresh()).isEmpty();
    }

    @Test
    void anHourIsAtHandWithWhatAnEarlierRunLeft() {
        RecentFigures recent = new RecentFigures();
        recent.take(heat(NOON, 50), NOON);
        recent.begin(Map.of(HEAT, List.of(new Point(NOON.minusSeconds(90), 30, 30, 30), new Point(NOON.minusSeconds(60), 35, 35, 35))));
        assertThat(recent.of(HEAT)).extracting(Point::mean).containsExactly(30.0, 35.0, 50.0);
        recent.take(List.of(), NOON.plus(Duration.ofMinutes(60)));
        assertThat(recent.of(HEAT)).extracting(Point::mean).containsExactly(50.0);
        recent.take(List.of(), NOON.plus(Duration.ofMinutes(62)));
        assertThat(recent.of(HEAT)).isEmpty();
    }

    @Test
    void aTrendHasGapsWhereNothingWasMeasuredAndKnowsTheExtremesOfWhatWasThinnedOut() {
        List<Point> points = List.of(new Point(NOON.minusSeconds(3600), 10, 2, 20), new Point(NOON.minusSeconds(3500), 30, 30, 30),
                new Point(NOON.minusSeconds(10), 60, 60, 60), new Point(NOON.minusSeconds(4000), 99, 99, 99));
        Trend trend = Trend.of(points, NOON, Duration.ofHours(1), 4);
        assertThat(trend.bars().getFirst()).isCloseTo(20, within(0.001));
        assertThat(trend.bars().subList(1, 3)).containsOnly(Double.NaN);
        assertThat(trend.bars().getLast()).isEqualTo(60);
        assertThat(trend.last()).hasValue(60);
        assertThat(trend.least()).hasValue(2);
        assertThat(trend.most()).hasValue(60);
        assertThat(Trend.nothing(Duration.ofHours(1), 4).isEmpty()).isTrue();
    }

    /** A disk in memory. */
    private static final class Disk implements FigureHistory {
        private final List<Sample> kept = new CopyOnWriteArrayList<>();

        @Override
        public void add(List<Sample> samples, Instant now) {
            kept.addAll(samples);
        }

        @Override
        public Map<Series, List<Point>> since(Instant from) {
            return Map.of(HEAT, List.of(new Point(from.plusSeconds(120), 20, 20, 20)));
        }

        @Override
        public List<Point> since(Series series, Instant from) {
            return kept.stream().filter(s -> s.series().equals(series)).map(Point::of).toList();
        }
    }

    @Test
    void whatWasMeasuredLastIsKeptWhenAllIsClosed() {
        Disk disk = new Disk();
        List<Point> read = new ArrayList<>();
        try (FigureLog log = new FigureLog("test", () -> disk, InstantSource.fixed(NOON))) {
            log.start();
            await().until(() -> !log.lastHour(HEAT).isEmpty());
            log.take(heat(NOON, 41));
            log.since(HEAT, NOON.minusSeconds(86_400), read::addAll);
            await().untilAsserted(() -> assertThat(read).extracting(Point::mean).containsExactly(20.0, 41.0));
        }
        assertThat(disk.kept).extracting(Sample::value).containsExactly(41.0);
    }

    @Test
    void whatADiskRefusedComesWithTheNextBatch() {
        RecentFigures recent = new RecentFigures();
        recent.take(heat(NOON, 40), NOON);
        List<Sample> refused = recent.fresh();
        recent.take(heat(NOON.plusSeconds(15), 41), NOON.plusSeconds(15));
        recent.again(refused, NOON.plusSeconds(15));
        assertThat(recent.fresh()).extracting(Sample::value).containsExactly(40.0, 41.0);
    }
}
