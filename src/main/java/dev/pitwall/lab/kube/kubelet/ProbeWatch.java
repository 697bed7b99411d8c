package dev.pitwall.lab.kube.kubelet;

import java.time.Duration;
import java.time.Instant;

/** One probe at work during one run. It ticks only while what it sees is not what is known already. */
final class ProbeWatch {
    private final Probe probe;
    private final Instant begin;
    private Instant next = Instant.MAX;
    private int failures;

    ProbeWatch(Probe probe, Instant started) {
        this.probe = probe;
        this.begin = started.plus(probe.initialDelay());
    }

    enum Seen { NOTHING, SUCCESS, FAILURE, TOO_MANY_FAILURES }

    /** @param right what the probe would see now; {@code known} what the kubelet believes */
    Seen look(boolean right, boolean known, Instant now) {
        if (right == known) {
            next = Instant.MAX;
            failures = 0;
            return Seen.NOTHING;
        }
        if (next.equals(Instant.MAX)) {
            next = tick(now);
        }
        if (next.isAfter(now)) {
            return Seen.NOTHING;
        }
        next = tick(now.plusNanos(1));
        if (right) {
            failures = 0;
            return Seen.SUCCESS;
        }
        failures++;
        return failures >= probe.failures() ? Seen.TOO_MANY_FAILURES : Seen.FAILURE;
    }

    /** When it looks again; {@link Instant#MAX} while all is as known. */
    Instant next() {
        return next;
    }

    Probe probe() {
        return probe;
    }

    /** The first tick not before a moment. */
    private Instant tick(Instant from) {
        if (!from.isAfter(begin)) {
            return begin;
        }
        Duration since = Duration.between(begin, from);
        long ticks = since.dividedBy(probe.period());
        Instant tick = begin.plus(probe.period().multipliedBy(ticks));
        return tick.isBefore(from) ? tick.plus(probe.period()) : tick;
    }
}
