package dev.pitwall.journey;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a run is to reach, kept with it so that a run that died goes on to the same end.
 *
 * @param choices what the person chose when it began
 * @param last    id of the last step wanted of a walk; empty for a run that makes its changes and no more
 * @param shown   of a walk, the changes that its preview had: it makes no others, also when it has died between; empty
 *                where none were kept
 */
public record Aim(Choices choices, Optional<String> last, List<Journal.Intended> shown) {

    public static final Aim NONE = new Aim(Choices.NONE, Optional.empty());

    public Aim {
        Objects.requireNonNull(choices);
        Objects.requireNonNull(last);
        shown = List.copyOf(shown);
    }

    /** Of a run that nothing was shown for yet. */
    public Aim(Choices choices, Optional<String> last) {
        this(choices, last, List.of());
    }

    /** True if both are to reach the same by the same choices. */
    public boolean sameWish(Aim other) {
        return choices.equals(other.choices) && last.equals(other.last);
    }
}
