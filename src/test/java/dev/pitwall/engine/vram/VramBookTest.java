package dev.pitwall.engine.vram;

import org.junit.jupiter.api.Test;

import java.time.Instant;

import static org.assertj.core.api.Assertions.assertThat;

class VramBookTest {
    private static final long GIB = 1L << 30;
    private static final Amount EXPECTED = new Amount(9 * GIB, 10 * GIB, 12 * GIB);
    private static final Instant NOON = Instant.parse("2026-09-01T12:00:00Z");

    private final VramBook book = new VramBook();

    private static VramKey key(long context) {
        return new VramKey("sha256:a", context, 1, CacheType.F16, "NVIDIA RTX A1000");
    }

    private static MeasuredLoad load(VramKey key, long bytes, MeasuredLoad.Source source) {
        return new MeasuredLoad(key, bytes, EXPECTED, source, NOON);
    }

    @Test
    void whatWasNeverLoadedIsEstimated() {
        assertThat(book.vram(key(4096), EXPECTED)).isEqualTo(new Vram.Estimated(EXPECTED, Vram.Estimated.Basis.RULES));
        assertThat(book.vram(key(4096), EXPECTED).safeBytes()).isEqualTo(12 * GIB);
    }

    @Test
    void afterALoadTheFigureIsMeasured() {
        book.learn(load(key(4096), 11 * GIB, MeasuredLoad.Source.CARD));

        assertThat(book.vram(key(4096), EXPECTED)).isEqualTo(new Vram.Measured(11 * GIB, 1, NOON));
    }

    @Test
    void theLargestOfTheLatestReadingsCounts() {
        for (long gib : new long[] {14, 10, 11, 10, 10, 10}) {
            book.learn(load(key(4096), gib * GIB, MeasuredLoad.Source.CARD));
        }

        assertThat(book.vram(key(4096), EXPECTED).bytes()).isEqualTo(11 * GIB);
        assertThat(book.loads()).hasSize(5);
    }

    @Test
    void anotherContextIsStillAnEstimateButCorrected() {
        book.learn(load(key(4096), 11 * GIB, MeasuredLoad.Source.CARD));

        assertThat(book.vram(key(8192), new Amount(10 * GIB, 12 * GIB, 14 * GIB))).isEqualTo(new Vram.Estimated(
                new Amount(12 * GIB, 13 * GIB, 14 * GIB), Vram.Estimated.Basis.OTHER_LOAD));
    }

    @Test
    void anotherCardOrModelTeachesNothing() {
        book.learn(load(key(4096), 11 * GIB, MeasuredLoad.Source.CARD));

        assertThat(book.vram(new VramKey("sha256:b", 4096, 1, CacheType.F16, "NVIDIA RTX A1000"), EXPECTED))
                .isInstanceOf(Vram.Estimated.class);
        assertThat(book.vram(new VramKey("sha256:a", 4096, 1, CacheType.F16, "NVIDIA RTX 4090"), EXPECTED))
                .isEqualTo(new Vram.Estimated(EXPECTED, Vram.Estimated.Basis.RULES));
    }

    @Test
    void aServersFigureThatLeavesAPartOutIsNotBelieved() {
        assertThat(book.learn(load(key(4096), 8 * GIB, MeasuredLoad.Source.SERVER))).isEqualTo(VramBook.Learned.TOO_LITTLE);
        assertThat(book.learn(load(key(4096), 8 * GIB, MeasuredLoad.Source.CARD))).isEqualTo(VramBook.Learned.KEPT);
    }

    @Test
    void whatWasLearnedOutlivesARestart() {
        book.learn(load(key(4096), 11 * GIB, MeasuredLoad.Source.CARD));

        assertThat(new VramBook(book.loads()).vram(key(4096), EXPECTED)).isInstanceOf(Vram.Measured.class);
    }
}
