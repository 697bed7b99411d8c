package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What came of measuring a model's speed, tokens a second.
 *
 * @param failure what could not be measured
 * @param notBack why the model could not be loaded again as it was
 */
record SpeedOutcome(OptionalDouble here, OptionalDouble onProcessor, Optional<Trouble> failure, Optional<Trouble> notBack) {
}
