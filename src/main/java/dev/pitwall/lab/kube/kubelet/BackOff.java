package dev.pitwall.lab.kube.kubelet;

import java.time.Duration;
import java.time.Instant;

/** Growing waits as the kubelet has them: 10 s, doubled up to 300 s, and from the beginning after 10 quiet minutes. */
final class BackOff {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration MOST = Duration.ofSeconds(300);
    private static final Duration FORGET = MOST.multipliedBy(2);

    private Duration step = Duration.ZERO;
    private Instant updated = Instant.MIN;

    /** How long to wait after a failure; zero after the first one. */
    Duration wait(Instant failed) {
        boolean fresh = step.isZero() || updated.plus(FORGET).isBefore(failed);
        return fresh ? Duration.ZERO : step;
    }

    /** The next try begins now. */
    void tried(Instant failed, Instant now) {
        step = wait(failed).isZero() ? FIRST : longer(step);
        updated = now;
    }

    /** The wait after the n-th failure in a row, where the first one has one too. */
    static Duration after(int failures) {
        return longest(FIRST.multipliedBy(1L << Math.min(failures - 1, 6)));
    }

    private static Duration longer(Duration step) {
        return longest(step.multipliedBy(2));
    }

    private static Duration longest(Duration step) {
        return step.compareTo(MOST) > 0 ? MOST : step;
    }

    /** As Go prints it: {@code 40s}, {@code 2m40s}. */
    static String text(Duration wait) {
        long seconds = wait.toSeconds();
        return seconds < 60 ? seconds + "s" : seconds / 60 + "m" + seconds % 60 + "s";
    }
}
