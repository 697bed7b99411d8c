package dev.pitwall.lab.kube.control;

import java.time.Instant;

/** Moments at which something is due; {@link Instant#MAX} for never. */
public final class Moments {
    private Moments() {
    }

    public static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
