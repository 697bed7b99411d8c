package dev.pitwall.card;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One floor of a card now.
 *
 * @param summary  one short sentence, for example {@code vfio-pci holds 2 functions · group 14}
 * @param trap     the name of the cause where the floor's own readings establish one, from the trap vocabulary
 * @param readings what the statement rests on
 * @param progress for a wait whose usual length is known
 * @param because  the floor this state follows from; empty when the state is the floor's own
 */
public record FloorStatus(Floor floor, FloorState state, String summary, Optional<String> trap,
                          List<Reading> readings, Optional<Progress> progress, Optional<Floor> because) {

    public FloorStatus {
        Objects.requireNonNull(floor);
        Objects.requireNonNull(state);
        Objects.requireNonNull(summary);
        Objects.requireNonNull(because);
        readings = List.copyOf(readings);
    }

    /** A state of the floor's own. */
    public FloorStatus(Floor floor, FloorState state, String summary, Optional<String> trap, List<Reading> readings,
                       Optional<Progress> progress) {
        this(floor, state, summary, trap, readings, progress, Optional.empty());
    }

    /** True when nothing is asked of anybody here: the floor is fine, or does not exist on this card. */
    public boolean settled() {
        return state == FloorState.OK || state == FloorState.NOT_APPLICABLE;
    }

    /** @param usual what is normal for this wait */
    public record Progress(Duration elapsed, Duration usual) {
    }
}
