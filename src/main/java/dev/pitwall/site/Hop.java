package dev.pitwall.site;

import dev.pitwall.card.Trouble;

import java.time.Duration;
import java.util.Optional;

/**
 * One step on the way to a system, as the connection test shows it.
 *
 * @param name    for example {@code Port 8006}
 * @param text    what was found, or what it waits for
 * @param trouble why it was refused; present exactly in state {@link State#REFUSED}
 * @param took    how long it took, where measured
 */
public record Hop(String name, State state, String text, Optional<Trouble> trouble, Optional<Duration> took) {

    public enum State {
        OK,
        /** Being tried now. */
        RUNNING,
        /** Waits for the person: a certificate or host key to trust. */
        ASKS,
        /** Not tried, since something before it is not settled. */
        TO_DO,
        REFUSED
    }

    public static Hop ok(String name, String text, Duration took) {
        return new Hop(name, State.OK, text, Optional.empty(), Optional.of(took));
    }

    public static Hop toDo(String name, String text) {
        return new Hop(name, State.TO_DO, text, Optional.empty(), Optional.empty());
    }

    public static Hop running(String name, String text) {
        return new Hop(name, State.RUNNING, text, Optional.empty(), Optional.empty());
    }

    public static Hop asks(String name, String text) {
        return new Hop(name, State.ASKS, text, Optional.empty(), Optional.empty());
    }

    public static Hop refused(String name, Trouble trouble, Duration took) {
        return new Hop(name, State.REFUSED, trouble.what(), Optional.of(trouble), Optional.of(took));
    }
}
