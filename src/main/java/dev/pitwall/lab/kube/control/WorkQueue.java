package dev.pitwall.lab.kube.control;

import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.StoreRefusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a controller has to look at, each object once however often it was noted, now or at a moment. An object whose
 * turn fails comes again later and later, as with the rate limiter of client-go: 5 ms, doubled up to 1000 s.
 */
public final class WorkQueue {
    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(5);
    private static final Duration LAST_RETRY = Duration.ofSeconds(1000);
    /** Doublings until {@link #LAST_RETRY} is reached. */
    private static final int DOUBLINGS = 18;

    private final Set<ObjectKey> ready = new LinkedHashSet<>();
    private final TreeMap<Instant, Set<ObjectKey>> later = new TreeMap<>();
    private final Map<ObjectKey, Instant> moments = new HashMap<>();
    private final Map<ObjectKey, Integer> failures = new HashMap<>();

    /** Looks after one object. */
    @FunctionalInterface
    public interface Turn {
        void take(ObjectKey key, Instant now);
    }

    public void add(ObjectKey key) {
        ready.add(key);
    }

    /** Comes again at a moment; of several the earliest counts. */
    public void at(ObjectKey key, Instant moment) {
        Instant before = moments.get(key);
        if (before != null && !moment.isBefore(before)) {
            return;
        }
        drop(key, before);
        moments.put(key, moment);
        later.computeIfAbsent(moment, m -> new LinkedHashSet<>()).add(key);
    }

    /**
     * Gives every object that is due its turn. What is noted meanwhile waits for the next call.
     *
     * @return when the next one is due; {@link Instant#MAX} for never
     */
    public Instant work(Instant now, Turn turn) {
        for (ObjectKey key : due(now)) {
            int before = failures.getOrDefault(key, 0);
            try {
                turn.take(key, now);
                if (failures.getOrDefault(key, 0) == before) {
                    failures.remove(key);
                }
            } catch (AdmissionRefusal | StoreRefusal refused) {
                failed(key, now);
            } catch (RuntimeException e) {
                LOG.warn("{} {}/{} could not be looked after", key.resource().qualified(), key.namespace(), key.name(), e);
                failed(key, now);
            }
        }
        return next(now);
    }

    /** This object's turn was in vain; it comes again, later each time. */
    public void failed(ObjectKey key, Instant now) {
        int times = failures.merge(key, 1, Integer::sum);
        at(key, now.plus(retry(times)));
    }

    /** How long to wait after so many failures in a row, 1 or more. */
    static Duration retry(int failures) {
        Duration wait = failures > DOUBLINGS ? LAST_RETRY : FIRST_RETRY.multipliedBy(1L << (failures - 1));
        return wait.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : wait;
    }

    private Instant next(Instant now) {
        if (!ready.isEmpty()) {
            return now;
        }
        return later.isEmpty() ? Instant.MAX : later.firstKey();
    }

    private List<ObjectKey> due(Instant now) {
        while (!later.isEmpty() && !later.firstKey().isAfter(now)) {
            for (ObjectKey key : later.pollFirstEntry().getValue()) {
                moments.remove(key);
                ready.add(key);
            }
        }
        List<ObjectKey> due = new ArrayList<>(ready);
        ready.clear();
        return due;
    }

    private void drop(ObjectKey key, Instant moment) {
        if (moment != null) {
            later.computeIfPresent(moment, (m, keys) -> {
                keys.remove(key);
                return keys.isEmpty() ? null : keys;
            });
        }
    }
}
