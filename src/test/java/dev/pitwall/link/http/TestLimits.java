package dev.pitwall.link.http;

import java.time.Duration;

/** How long links wait in tests. */
public final class TestLimits {
    /** For what answers, however busy the computer is: only a failing test waits so long. */
    public static final Limits PATIENT = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(60));
    /** For what is mute, as the test means it to be. */
    public static final Limits BRIEF = new Limits(Duration.ofSeconds(5), Duration.ofMillis(500));

    private TestLimits() {
    }
}
