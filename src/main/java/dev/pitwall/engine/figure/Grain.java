package dev.pitwall.engine.figure;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How finely the past is kept: the older, the coarser. What is least and most is never lost. */
public enum Grain {
    SAMPLE(Duration.ZERO, Duration.ofHours(1)),
    MINUTE(Duration.ofMinutes(1), Duration.ofDays(1)),
    QUARTER(Duration.ofMinutes(15), Duration.ofDays(31));

    private final Duration width;
    private final Duration kept;

    Grain(Duration width, Duration kept) {
        this.width = width;
        this.kept = kept;
    }

    /** What one point stands for; zero for a sample. */
    public Duration width() {
        return width;
    }

    /** What its points become when they are too old; empty for the coarsest, which go. */
    public Optional<Grain> next() {
        return ordinal() + 1 < values().length ? Optional.of(values()[ordinal() + 1]) : Optional.empty();
    }

    /** Points that begin before this are too old. It never cuts through a point of the next grain. */
    public Instant end(Instant now) {
        long step = next().map(Grain::width).orElse(width).toMillis();
        return Instant.ofEpochMilli(Math.floorDiv(now.minus(kept).toEpochMilli(), step) * step);
    }
}
