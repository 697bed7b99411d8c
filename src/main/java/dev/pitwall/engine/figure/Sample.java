package dev.pitwall.engine.figure;

import java.time.Instant;

/** One value. @param at by this machine's clock: those of the sources differ */
public record Sample(Series series, Instant at, double value) {
}
