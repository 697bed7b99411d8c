package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.schedule.Waiting.Place;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The pods that wait for a node: those to be tried, by priority and age; those that back off; and those that are stuck
 * until something changes that could help them. [kubernetes: backend/queue/scheduling_queue.go]
 */
final class Backlog {
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LAST_BACKOFF = Duration.ofSeconds(10);
    /** After so long a stuck pod is tried again though nothing seems to have changed. */
    static final Duration STUCK_MOST = Duration.ofMinutes(5);

    private final Map<ObjectKey, Waiting> all = new HashMap<>();
    private final TreeSet<Waiting> ready = new TreeSet<>(Waiting.ORDER);
    private final TreeSet<Waiting> backingOff = new TreeSet<>(
            Comparator.<Waiting, Instant>comparing(waiting -> waiting.moment).thenComparingLong(Waiting::serial));
    /** Longest first. */
    private final LinkedHashSet<Waiting> stuck = new LinkedHashSet<>();
    private final Map<String, LinkedHashSet<Waiting>> stuckAlike = new LinkedHashMap<>();
    private long serial;

    /** A pod that is not bound is there, or has changed. */
    void put(PodFacts pod) {
        Waiting before = all.get(pod.key());
        if (before == null || !before.pod().uid().equals(pod.uid())) {
            remove(pod.key());
            Waiting waiting = new Waiting(pod, serial++);
            all.put(pod.key(), waiting);
            ready.add(waiting);
            return;
        }
        if (before.become(pod) && (before.place == Place.STUCK || before.place == Place.GATED)) {
            move(before, Place.READY);
        }
    }

    Optional<Waiting> find(ObjectKey key) {
        return Optional.ofNullable(all.get(key));
    }

    void remove(ObjectKey key) {
        Waiting before = all.remove(key);
        if (before != null) {
            drop(before);
        }
    }

    /** The next one to try; it is for the caller to say what has come of it. */
    Optional<Waiting> next(Instant now) {
        while (!backingOff.isEmpty() && !backingOff.first().moment.isAfter(now)) {
            move(backingOff.first(), Place.READY);
        }
        while (!stuck.isEmpty() && !stuck.getFirst().moment.plus(STUCK_MOST).isAfter(now)) {
            wake(stuck.getFirst(), now);
        }
        return Optional.ofNullable(ready.isEmpty() ? null : ready.first());
    }

    /** Its gates have to go first. */
    void gated(Waiting waiting) {
        move(waiting, Place.GATED);
    }

    /** It has its node and waits for its volumes. */
    void binding(Waiting waiting) {
        move(waiting, Place.BINDING);
    }

    /** It fits nowhere. */
    void stuck(Waiting waiting, Set<Refusal.Filter> refusedBy, Instant now) {
        drop(waiting);
        waiting.refusedBy = refusedBy;
        waiting.moment = now;
        to(waiting, Place.STUCK);
    }

    /** Something has gone wrong that is not the pod's fault: it is tried again after its back-off. */
    void again(Waiting waiting, Instant now) {
        drop(waiting);
        wake(waiting, now);
    }

    /** Those stuck pods for which something has changed are tried again; one of each likeness is asked. */
    void wake(Predicate<Waiting> helped, Instant now) {
        for (LinkedHashSet<Waiting> alike : List.copyOf(stuckAlike.values())) {
            if (helped.test(alike.getFirst())) {
                List.copyOf(alike).forEach(waiting -> wake(waiting, now));
            }
        }
    }

    /** When the next one is due; {@link Instant#MAX} for never. */
    Instant due(Instant now) {
        if (!ready.isEmpty()) {
            return now;
        }
        Instant soonest = backingOff.isEmpty() ? Instant.MAX : backingOff.first().moment;
        Instant longest = stuck.isEmpty() ? Instant.MAX : stuck.getFirst().moment.plus(STUCK_MOST);
        return Moments.earlier(soonest, longest);
    }

    private void wake(Waiting waiting, Instant now) {
        drop(waiting);
        Instant end = waiting.attempts == 0 ? now : waiting.lastTry.plus(backOff(waiting.attempts));
        waiting.moment = end;
        to(waiting, end.isAfter(now) ? Place.BACKING_OFF : Place.READY);
    }

    private static Duration backOff(int attempts) {
        Duration wait = FIRST_BACKOFF;
        for (int i = 1; i < attempts && wait.compareTo(LAST_BACKOFF) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(LAST_BACKOFF) > 0 ? LAST_BACKOFF : wait;
    }

    private void move(Waiting waiting, Place place) {
        drop(waiting);
        to(waiting, place);
    }

    private void to(Waiting waiting, Place place) {
        waiting.place = place;
        switch (place) {
            case READY -> ready.add(waiting);
            case BACKING_OFF -> backingOff.add(waiting);
            case STUCK -> {
                stuck.add(waiting);
                waiting.filedAs = waiting.likeness();
                stuckAlike.computeIfAbsent(waiting.filedAs, l -> new LinkedHashSet<>()).add(waiting);
            }
            case GATED, BINDING -> { }
        }
    }

    private void drop(Waiting waiting) {
        switch (waiting.place) {
            case READY -> ready.remove(waiting);
            case BACKING_OFF -> backingOff.remove(waiting);
            case STUCK -> {
                stuck.remove(waiting);
                stuckAlike.computeIfPresent(waiting.filedAs, (l, alike) -> {
                    alike.remove(waiting);
                    return alike.isEmpty() ? null : alike;
                });
            }
            case GATED, BINDING -> { }
        }
    }
}
