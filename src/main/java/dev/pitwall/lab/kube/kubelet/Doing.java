package dev.pitwall.lab.kube.kubelet;

import java.time.Instant;

/** How the process of a container stands. */
public sealed interface Doing {

    /**
     * It goes on.
     *
     * @param ready     what a readiness or startup probe would see; without a probe, its readiness
     * @param lookAgain when to look at it again though nothing has changed; {@link Instant#MAX} for never
     */
    record Goes(boolean ready, Instant lookAgain) implements Doing {
    }

    /**
     * It has ended by itself.
     *
     * @param at      when, not later than now
     * @param message its termination message; empty for none
     */
    record Ended(int exitCode, String message, Instant at) implements Doing {
    }

    /** Ready, and nothing to wait for. */
    static Doing ready() {
        return new Goes(true, Instant.MAX);
    }

    /** Not ready before a moment, ready from then on. */
    static Doing readyAt(Instant moment, Instant now) {
        return now.isBefore(moment) ? new Goes(false, moment) : ready();
    }
}
