package dev.pitwall.engine.vram;

import java.time.Instant;

/**
 * What one load took.
 *
 * @param bytes    of the card's memory
 * @param estimate what was expected of it, without corrections
 */
public record MeasuredLoad(VramKey key, long bytes, Amount estimate, Source source, Instant at) {

    /** Who measured. */
    public enum Source {
        /** The card's used memory before and after, with nothing else loaded in between. */
        CARD,
        /**
         * The server's own figure. Ollama from 0.30 leaves out the larger cache of models with windows, and gives the file's size
         * where it did not understand its child (facts: models.md 5.2).
         */
        SERVER
    }

    public MeasuredLoad {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a load takes memory");
        }
    }
}
