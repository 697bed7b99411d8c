package dev.pitwall.journey.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * How a run waits.
 *
 * @param clock     the time
 * @param pause     waits
 * @param poll      the longest time between two looks at something that is waited for
 * @param reconnect how long a connection that is lost in a change is waited for
 * @param settle    how long a guest that has just started has to show what is in it
 */
public record Patience(InstantSource clock, Pause pause, Duration poll, Duration reconnect, Duration settle) {

    /** Much of what is waited for takes a moment only: the first look comes soon, each after it in twice the time. */
    private static final Duration SOON = Duration.ofMillis(100);

    /** Waits for a time. */
    @FunctionalInterface
    public interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    /** For real systems: looks every two seconds in the end, waits five minutes for a connection and three for a guest. */
    public static Patience usual(InstantSource clock) {
        return new Patience(clock, time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()), Duration.ofSeconds(2),
                Duration.ofMinutes(5), Duration.ofMinutes(3));
    }

    Instant now() {
        return clock.instant();
    }

    /** Waits until it is worth trying again what was refused or lost. */
    void untilNextTry() throws InterruptedException {
        pause.of(poll);
    }

    /** To be taken anew for each thing that is waited for. */
    Looks looks() {
        return new Looks();
    }

    /** The looks at one thing that is waited for. */
    final class Looks {
        private Duration next = poll.compareTo(SOON) < 0 ? poll : SOON;

        private Looks() {
        }

        /** Waits until it is worth looking again. */
        void untilNext() throws InterruptedException {
            pause.of(next);
            Duration doubled = next.multipliedBy(2);
            next = doubled.compareTo(poll) < 0 ? doubled : poll;
        }
    }

    /** The moment that lies so long ahead. */
    Instant in(Duration time) {
        return now().plus(time);
    }

    boolean past(Instant end) {
        return !now().isBefore(end);
    }
}
