package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How fast a model answered when it was measured, in tokens a second.
 *
 * @param digest      of the model then: another one under the same name is as fast as it is
 * @param here        as it was loaded, on the card as far as it fits
 * @param onProcessor without the card; empty where the server cannot be asked for that, or it was not measured
 */
public record MeasuredSpeed(PlacementId what, Optional<String> digest, double here, OptionalDouble onProcessor, Instant at) {
}
