package dev.pitwall.lab;

import dev.pitwall.journey.run.Patience;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * How an engine waits in a fast lab: it looks often. Its limits are real time, which the lab's says nothing about, and far
 * longer than anything needs: a busy computer makes a test slow, not red.
 */
public final class LabPatience {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofMinutes(3);

    private LabPatience() {
    }

    public static Patience real() {
        return new Patience(InstantSource.system(), time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()), POLL, LONG, LONG);
    }
}
