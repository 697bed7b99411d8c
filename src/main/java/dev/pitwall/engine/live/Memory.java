package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.Optional;

/**
 * What something takes of a card.
 *
 * @param bytes to count with
 * @param basis what the figure rests on
 * @param at    when it was measured; empty for an estimate
 */
public record Memory(long bytes, Basis basis, Optional<Instant> at) {

    /** What a figure rests on. */
    public enum Basis {
        /** A load of this model with these settings on this kind of card. */
        MEASURED,
        /** The server's own figure, which leaves out what the driver takes. */
        SERVER,
        /** The rules of its architecture. */
        ESTIMATED,
        /** The size of its files: nothing better is known. */
        FILES,
        /** What its name says of parameters and quantisation: the server tells no size before it has loaded it. */
        NAME,
        /** Nothing is known; {@code bytes} is 0 and no promise. */
        UNKNOWN
    }
}
