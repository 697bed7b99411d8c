package dev.pitwall.engine.figure;

import java.time.Instant;

/** A value as its source tells it. @param by the source's own time: the same time is the same measurement, told again */
public record Measured(Series series, Instant by, double value) {
}
