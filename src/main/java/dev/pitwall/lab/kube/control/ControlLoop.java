package dev.pitwall.lab.kube.control;

import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.kube.store.WatchCursor;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.Listening;
import dev.pitwall.lab.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the controllers of the cluster: one thread hands them changes of the store and of the world and calls each when
 * it is due. Their order is fixed, so the same changes lead to the same acts.
 */
public final class ControlLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);
    /** Rounds in which controllers may answer each other before the loop takes a breath. */
    private static final int ROUNDS = 200;
    /** Moments of the past that are lived through; more means that a controller never comes to rest. */
    private static final int MOMENTS = 100_000;
    /** A set has no order of its own, and the same run must tell the same story. */
    private static final Comparator<Resource> ORDER = Comparator.comparing(Resource::qualified);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    /** Changes that come together are handled together. */
    private static final Duration GATHER = Duration.ofMillis(5);

    private final World world;
    private final ObjectStore store;
    private final ClusterClock clock;
    private final List<Seat> seats;
    private final Map<Resource, List<Seat>> audience = new LinkedHashMap<>();
    private final Map<Resource, WatchCursor> cursors = new LinkedHashMap<>();
    private final Map<Resource, Map<ObjectKey, StoredObject>> seen = new HashMap<>();
    private final Semaphore wake = new Semaphore(0);
    private final AtomicBoolean worldChanged = new AtomicBoolean(true);
    private final List<Listening> listening;
    private Thread thread = Thread.currentThread();
    private volatile boolean closed;
    /** The store's revision when the controllers were last told. */
    private long heard = -1;

    /** A controller and when it is due. */
    private static final class Seat {
        final Controller controller;
        Instant due = Instant.MIN;
        boolean touched = true;
        /** In a row. */
        int failures;
        Set<Resource> watches = Set.of();

        Seat(Controller controller) {
            this.controller = controller;
        }
    }

    /** @param controllers in the order they are told and called */
    public ControlLoop(World world, ObjectStore store, ClusterClock clock, List<Controller> controllers) {
        this.world = world;
        this.store = store;
        this.clock = clock;
        this.seats = controllers.stream().map(Seat::new).toList();
        this.listening = List.of(world.onChange(() -> {
            worldChanged.set(true);
            wake();
        }), store.onChange(this::wake));
    }

    /**
     * Lives through a stretch of the past without waiting. Only before {@link #start}.
     *
     * @param from when the cluster's life begins
     * @param to   up to when, at most the lab's present
     */
    public void live(Instant from, Instant to) {
        Instant moment = from;
        for (int i = 0; !moment.isAfter(to); i++) {
            if (i == MOMENTS) {
                LOG.error("the cluster did not come to rest by {}", moment);
                break;
            }
            clock.past(moment);
            settle(moment);
            Instant next = earliest();
            moment = next.isAfter(moment) ? next : moment.plusMillis(1);
        }
        clock.present();
    }

    /** Goes on by itself until {@link #close}. */
    public void start() {
        thread = Thread.ofVirtual().name("lab-control-loop").start(this::run);
    }

    private void run() {
        try (LabClock.Follower follower = world.clock().follow()) {
            while (!closed) {
                settle(clock.instant());
                Duration wait = world.clock().realTime(untilDue());
                if (follower.rest(wake, wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT)) {
                    Thread.sleep(GATHER);
                    wake.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration untilDue() {
        Instant now = clock.instant();
        Instant due = earliest();
        Instant limit = now.plus(Duration.ofHours(1));
        return Duration.between(now, due.isAfter(limit) ? limit : due.isBefore(now) ? now : due);
    }

    private Instant earliest() {
        return seats.stream().map(seat -> seat.due).min(Instant::compareTo).orElse(Instant.MAX);
    }

    /** Lets the controllers act until none has anything more to do at this moment. */
    private void settle(Instant now) {
        for (int round = 0; round < ROUNDS && !closed; round++) {
            boolean told = tell();
            boolean all = worldChanged.getAndSet(false);
            boolean acted = false;
            for (Seat seat : seats) {
                if (all || seat.touched || !seat.due.isAfter(now)) {
                    seat.touched = false;
                    act(seat, now);
                    acted = true;
                }
            }
            if (!told && !acted) {
                return;
            }
        }
    }

    private static void act(Seat seat, Instant now) {
        try {
            seat.due = seat.controller.act(now);
            seat.failures = 0;
        } catch (RuntimeException e) {
            // One controller that fails must not end the others.
            LOG.error("controller {} failed", seat.controller.getClass().getSimpleName(), e);
            seat.failures++;
            seat.due = now.plus(WorkQueue.retry(seat.failures));
        }
    }

    private boolean tell() {
        boolean any = false;
        Map<Resource, List<Seat>> everybody = audience();
        long revision = store.revision();
        if (revision == heard && cursors.size() == everybody.size()) {
            return false;
        }
        heard = revision;
        for (Map.Entry<Resource, List<Seat>> entry : everybody.entrySet()) {
            for (Change change : news(entry.getKey())) {
                any = true;
                for (Seat seat : entry.getValue()) {
                    tell(seat, change);
                }
            }
        }
        return any;
    }

    private static void tell(Seat seat, Change change) {
        seat.touched = true;
        try {
            seat.controller.observe(change);
        } catch (RuntimeException e) {
            // One controller that fails must not keep the news from the others.
            LOG.error("controller {} failed", seat.controller.getClass().getSimpleName(), e);
        }
    }

    /** Who hears of what; made anew only when a controller watches something else than before. */
    private Map<Resource, List<Seat>> audience() {
        boolean same = true;
        for (Seat seat : seats) {
            Set<Resource> watches = seat.controller.watches();
            same &= watches == seat.watches || watches.equals(seat.watches);
            seat.watches = watches;
        }
        if (!same) {
            Map<Resource, List<Seat>> before = new HashMap<>(audience);
            audience.clear();
            seats.forEach(seat -> seat.watches.stream().sorted(ORDER).forEach(resource ->
                    audience.computeIfAbsent(resource, r -> new ArrayList<>()).add(seat)));
            before.forEach((resource, heard) -> {
                if (!heard.equals(audience.get(resource))) {
                    // A new listener has to hear of everything that is there.
                    cursors.remove(resource);
                    seen.remove(resource);
                }
            });
        }
        return audience;
    }

    /** All that is new, so that no controller acts on half of what it has just done itself. */
    private List<Change> news(Resource resource) {
        WatchCursor cursor = cursors.get(resource);
        if (cursor == null) {
            return listed(resource);
        }
        try {
            List<Change> all = new ArrayList<>();
            if (store.lastChange(resource) <= cursor.revision()) {
                return List.of();
            }
            List<Change> some = cursor.next(Duration.ZERO);
            while (!some.isEmpty()) {
                all.addAll(some);
                some = cursor.next(Duration.ZERO);
            }
            all.forEach(this::remember);
            return all;
        } catch (StoreRefusal expired) {
            return listed(resource);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** At first, and when changes were missed: all that is there, told as the changes that lead to it. */
    private List<Change> listed(Resource resource) {
        var snapshot = store.list(resource, "");
        cursors.put(resource, store.watch(resource, snapshot.revision()));
        Map<ObjectKey, StoredObject> before = seen.getOrDefault(resource, Map.of());
        Map<ObjectKey, StoredObject> after = new HashMap<>();
        List<Change> changes = new ArrayList<>();
        for (StoredObject object : snapshot.objects()) {
            after.put(object.key(), object);
            StoredObject old = before.get(object.key());
            if (old == null || !old.uid().equals(object.uid())) {
                if (old != null) {
                    changes.add(new Change.Deleted(old, old));
                }
                changes.add(new Change.Added(object));
            } else if (old.revision() != object.revision()) {
                changes.add(new Change.Modified(old, object));
            }
        }
        before.values().stream().filter(old -> !after.containsKey(old.key()))
                .forEach(old -> changes.add(new Change.Deleted(old, old)));
        seen.put(resource, after);
        return changes;
    }

    private void remember(Change change) {
        switch (change) {
            case Change.Added added -> seenOf(added.now().key()).put(added.now().key(), added.now());
            case Change.Modified modified -> seenOf(modified.now().key()).put(modified.now().key(), modified.now());
            case Change.Deleted deleted -> seenOf(deleted.before().key()).remove(deleted.before().key());
        }
    }

    private Map<ObjectKey, StoredObject> seenOf(ObjectKey key) {
        return seen.computeIfAbsent(key.resource(), r -> new HashMap<>());
    }

    private void wake() {
        if (!closed && wake.availablePermits() == 0) {
            wake.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        listening.forEach(Listening::close);
        wake.release();
        if (thread != Thread.currentThread()) {
            thread.interrupt();
            try {
                thread.join(Duration.ofSeconds(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
