package dev.pitwall.link.kube;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How fast a failing resource is asked again.
 *
 * @param first  wait after the first failure
 * @param most   longest wait
 * @param idle   wait before a resource that is forbidden or does not exist is asked again
 * @param settle a watch that has been open this long counts as working
 * @param watch  length of one watch, after which the server ends it
 * @param pulse  time between two looks at whether the server still answers
 * @param relist shortest time between two lists that are made since more objects have come to matter
 */
record Pace(Duration first, Duration most, Duration idle, Duration settle, Duration watch, Duration pulse,
            Duration relist) {

    /** client-go asks watches to end after 5 to 10 minutes; this is at the short end, for connections that died. */
    static final Pace USUAL = new Pace(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(30),
            Duration.ofSeconds(2), Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(15));

    /** Exponential, and spread over half of its length, so that several watches do not come back at one moment. */
    Duration after(int failures) {
        long doubled = first.toMillis() << Math.min(Math.max(failures - 1, 0), 10);
        long whole = Math.min(doubled, most.toMillis());
        return Duration.ofMillis(whole / 2 + ThreadLocalRandom.current().nextLong(whole / 2 + 1));
    }
}
