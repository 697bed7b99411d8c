package dev.pitwall.link.kube;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import dev.pitwall.card.Trouble;

/** How one watched resource is doing. Written by its reflector, read by any thread. */
final class Health {
    private final String resource;
    private final Runnable changed;
    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile State state = new State(Optional.empty(), Optional.empty(), Optional.empty(), false);

    /**
     * @param good      when it was last known to be true
     * @param forbidden the trouble is a missing right, while the others go on
     */
    record State(Optional<Instant> good, Optional<Trouble> trouble, Optional<Instant> since, boolean forbidden) {
    }

    Health(String resource, Runnable changed) {
        this.resource = resource;
        this.changed = changed;
    }

    /** In a sentence after "list and watch", for example {@code pods}. */
    String resource() {
        return resource;
    }

    State state() {
        return state;
    }

    /** Something was heard: what is known is true now. A trouble stays until {@link #working}. */
    void heard(Instant now) {
        State was = state;
        state = new State(Optional.of(now), was.trouble(), was.since(), was.forbidden());
        if (was.good().isEmpty()) {
            changed.run();
        }
        settled.countDown();
    }

    /** It works, and what is known is true now. */
    void working(Instant now) {
        State was = state;
        state = new State(Optional.of(now), Optional.empty(), Optional.empty(), false);
        if (was.good().isEmpty() || was.trouble().isPresent()) {
            changed.run();
        }
        settled.countDown();
    }

    void failed(Trouble trouble, Instant now, boolean forbidden) {
        State was = state;
        state = new State(was.good(), Optional.of(trouble), Optional.of(was.since().orElse(now)), forbidden);
        if (!was.trouble().equals(state.trouble())) {
            changed.run();
        }
        settled.countDown();
    }

    /** Waits until it has worked or failed once. */
    void awaitFirst() throws InterruptedException {
        settled.await();
    }

    boolean settled() {
        return settled.getCount() == 0;
    }
}
