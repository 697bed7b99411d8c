package dev.pitwall.engine.charge;

import java.time.Duration;

/**
 * How a Lease is kept.
 *
 * @param duration after which others may take it; in whole seconds
 * @param deadline a holder that could not renew it for that long decides no more: well before others may take it
 * @param retry    between two looks
 */
public record Terms(Duration duration, Duration deadline, Duration retry) {

    public Terms {
        if (duration.compareTo(deadline) <= 0 || deadline.compareTo(retry) <= 0 || duration.toSeconds() < 1) {
            throw new IllegalArgumentException("a holder must have stopped before others begin");
        }
    }

    /** Those of Kubernetes' own controllers (client-go tools/leaderelection: 15 s, 10 s, 2 s). */
    public static Terms usual() {
        return new Terms(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
    }
}
