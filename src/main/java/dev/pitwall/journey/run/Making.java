package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;

import java.time.Duration;
import java.util.Optional;

/** One change and the way it is judged and made. */
interface Making {

    /**
     * Reads where the change stands.
     *
     * @param mark what was noted before it was begun; empty if it was not begun
     */
    Standing standing(Optional<String> mark) throws TroubleException, InterruptedException;

    /** What is to be noted of the system before it is begun; empty where its contents tell all. */
    default Optional<String> mark() throws TroubleException, InterruptedException {
        return Optional.empty();
    }

    /**
     * Makes the change from wherever a run before this one has left it, and returns when what was made has been read
     * back.
     *
     * @param mark as noted before it was begun
     * @return what is worth telling of it; empty text for nothing
     * @throws TroubleException if it could not be made, or the connection was lost meanwhile
     */
    String make(Optional<String> mark) throws TroubleException, InterruptedException;

    /** How long a lost connection is waited for. */
    default Duration patience(Patience usual) {
        return usual.reconnect();
    }
}
