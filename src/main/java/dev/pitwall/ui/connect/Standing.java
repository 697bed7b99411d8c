package dev.pitwall.ui.connect;

import dev.pitwall.ui.icon.Mark;
import java.util.Optional;

/** How far a connection has come. */
enum Standing {
    /** Nothing is filled in. */
    EMPTY,
    UNTESTED,
    /** Saved before and not touched since. */
    KEPT,
    TESTING,
    /** A certificate or host key waits for the person. */
    ASKS,
    THROUGH,
    REFUSED;

    /** True for a connection that goes into the site. */
    boolean settled() {
        return this == KEPT || this == THROUGH;
    }

    /** The shape; a state without one is an empty circle. */
    Optional<Mark> mark() {
        return switch (this) {
            case THROUGH -> Optional.of(Mark.OK);
            case TESTING -> Optional.of(Mark.RING);
            case ASKS -> Optional.of(Mark.CLOCK);
            case REFUSED -> Optional.of(Mark.FAILING);
            case EMPTY, UNTESTED, KEPT -> Optional.empty();
        };
    }
}
