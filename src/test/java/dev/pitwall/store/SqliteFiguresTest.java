package dev.pitwall.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.figure.Point;
import dev.pitwall.engine.figure.Sample;
import dev.pitwall.engine.figure.Series;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteFiguresTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final Series POWER = new Series("pve1/0000:01:00", Figure.POWER);
    private static final Series TOKENS = new Series("ollama-a", Figure.TOKENS);

    @TempDir
    private Path temp;

    @Test
    void curvesOutliveTheProcessAndAreThoseOfTheirSite() throws Exception {
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteFigures figures = new SqliteFigures(database, "site");
            figures.add(List.of(new Sample(POWER, NOON, 50), new Sample(TOKENS, NOON, 31.5)), NOON);
            figures.add(List.of(new Sample(POWER, NOON.plusSeconds(10), 52)), NOON);
        }
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteFigures figures = new SqliteFigures(database, "site");
            assertThat(figures.since(POWER, NOON)).extracting(Point::mean).containsExactly(50.0, 52.0);
            assertThat(figures.since(NOON.minusSeconds(1))).containsOnlyKeys(POWER, TOKENS);
            assertThat(figures.since(POWER, NOON.plusSeconds(5))).hasSize(1);
            assertThat(new SqliteFigures(database, "other").since(Instant.EPOCH)).isEmpty();
        }
    }

    @Test
    void theOlderTheCoarserAndTheExtremesStay() throws Exception {
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteFigures figures = new SqliteFigures(database, "site");
            Instant later = NOON;
            for (int hour = 0; hour < 50; hour++) {
                Instant from = NOON.plus(Duration.ofHours(hour));
                figures.add(IntStream.range(0, 60).mapToObj(i -> new Sample(POWER, from.plusSeconds(i * 60L + i % 2 * 20), 100 + i))
                        .toList(), from.plus(Duration.ofHours(1)));
                later = from.plus(Duration.ofHours(1));
            }
            List<Point> all = figures.since(POWER, Instant.EPOCH);
            // The last hour as it came, 23 hours in minutes, the rest in quarters.
            assertThat(all).hasSize(60 + 23 * 60 + 26 * 4);
            Point oldest = all.getFirst();
            assertThat(oldest.at()).isEqualTo(NOON);
            assertThat(oldest.mean()).isCloseTo(107, within(0.001));
            assertThat(oldest.least()).isEqualTo(100);
            assertThat(oldest.most()).isEqualTo(114);
            assertThat(all.getLast().at()).isEqualTo(later.minusSeconds(40));

            figures.add(List.of(), later.plus(Duration.ofDays(32)));
            assertThat(figures.since(Instant.EPOCH)).isEmpty();
        }
    }

    @Test
    void whatIsThinnedOutInTwoPartsIsOnePoint() throws Exception {
        try (Database database = Database.open(new DataFolder(temp))) {
            SqliteFigures figures = new SqliteFigures(database, "site");
            Instant now = NOON.plus(Duration.ofHours(2));
            figures.add(List.of(new Sample(POWER, NOON, 10), new Sample(POWER, NOON.plusSeconds(10), 20)), now);
            figures.add(List.of(new Sample(POWER, NOON.plusSeconds(20), 60)), now);
            assertThat(figures.since(POWER, NOON)).containsExactly(new Point(NOON, 30, 10, 60));
        }
    }
}
