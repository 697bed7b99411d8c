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
 * @param poll      between two looks at something that is waited for
 * @param reconnect how long a connection that is lost in a change is waited for
 * @param settle    how long a guest that has just started has to show what is in it
 */
public record Patience(InstantSource clock, Pause pause, Duration poll, Duration reconnect, Duration settle) {

    /** Waits for a time. */
    @FunctionalInterface
    public interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    /** For real systems: looks every two seconds, waits five minutes for a connection and three for a guest. */
    public static Patience usual(InstantSource clock) {
        return new Patience(clock, time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()), Duration.ofSeconds(2),
                Duration.ofMinutes(5), Duration.ofMinutes(3));
    }

    Instant now() {
        return clock.instant();
    }

    /** Waits until it is worth looking again. */
    void untilNextLook() throws InterruptedException {
        pause.of(poll);
    }

    /** The moment that lies so long ahead. */
    Instant in(Duration time) {
        return now().plus(time);
    }

    boolean past(Instant end) {
        return !now().isBefore(end);
    }
}
