package dev.pitwall.journey;

import java.util.Objects;
import java.util.Optional;

/**
 * What a run is to reach, kept with it so that a run that died goes on to the same end.
 *
 * @param choices what the person chose when it began
 * @param last    id of the last step wanted of a walk; empty for a run that makes its changes and no more
 */
public record Aim(Choices choices, Optional<String> last) {

    public static final Aim NONE = new Aim(Choices.NONE, Optional.empty());

    public Aim {
        Objects.requireNonNull(choices);
        Objects.requireNonNull(last);
    }
}
