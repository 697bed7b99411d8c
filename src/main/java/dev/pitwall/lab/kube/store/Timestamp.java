package dev.pitwall.lab.kube.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as Kubernetes writes them into objects. */
public final class Timestamp {
    private Timestamp() {
    }

    /** In whole seconds of UTC, for example {@code 2026-03-01T08:00:00Z}. */
    public static String of(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
