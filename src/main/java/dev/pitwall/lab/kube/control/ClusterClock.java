package dev.pitwall.lab.kube.control;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The cluster's time. It is the lab's, except at the start, when the cluster's past is lived through without waiting:
 * what has run for days at the lab's start then has the age and the history that its own behaviour gave it.
 */
public final class ClusterClock implements InstantSource {
    private final InstantSource lab;
    private final AtomicReference<Optional<Instant>> past = new AtomicReference<>(Optional.empty());

    public ClusterClock(InstantSource lab) {
        this.lab = lab;
    }

    @Override
    public Instant instant() {
        return past.get().orElseGet(lab::instant);
    }

    /** True while the past is lived through; heartbeats and the like are not worth their while then. */
    public boolean isPast() {
        return past.get().isPresent();
    }

    void past(Instant moment) {
        past.set(Optional.of(moment));
    }

    void present() {
        past.set(Optional.empty());
    }
}
