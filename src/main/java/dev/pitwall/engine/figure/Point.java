package dev.pitwall.engine.figure;

import java.time.Instant;

/**
 * Of a curve: one sample, or what many have become.
 *
 * @param at when it begins
 */
public record Point(Instant at, double mean, double least, double most) {

    static Point of(Sample sample) {
        return new Point(sample.at(), sample.value(), sample.value(), sample.value());
    }
}
