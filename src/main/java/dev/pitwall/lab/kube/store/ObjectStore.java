package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.world.Listening;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * All objects of a cluster with one revision counter, and the changes of the recent past for those who watch. Every
 * change stamps {@code uid}, {@code creationTimestamp}, {@code generation} and {@code resourceVersion} as an API server
 * does. Safe for any number of threads; a watcher costs its cursor and nothing else.
 */
public final class ObjectStore implements AutoCloseable {
    private static final long FIRST_REVISION = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Resource, Shelf> shelves = new HashMap<>();
    private final InstantSource clock;
    private final FieldIndex index;
    private final int window;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private long revision = FIRST_REVISION;
    /** The revision that listeners know of. */
    private long told = FIRST_REVISION;
    private boolean closed;

    /** @param window changes remembered for each resource; a watch from before them is answered with 410 Gone */
    public ObjectStore(InstantSource clock, FieldIndex index, int window) {
        this.clock = clock;
        this.index = index;
        this.window = window;
    }

    /** Revision of the newest change. */
    public long revision() {
        lock.lock();
        try {
            return revision;
        } finally {
            lock.unlock();
        }
    }

    /** Revision of a resource's newest change; 0 if it has had none. */
    public long lastChange(Resource resource) {
        lock.lock();
        try {
            Shelf shelf = shelves.get(resource);
            return shelf == null ? 0 : shelf.lastChange();
        } finally {
            lock.unlock();
        }
    }

    public Optional<StoredObject> find(ObjectKey key) {
        lock.lock();
        try {
            return Optional.ofNullable(shelf(key.resource()).objects.get(key.row()));
        } finally {
            lock.unlock();
        }
    }

    /** @throws StoreRefusal {@code NotFound} */
    public StoredObject get(ObjectKey key) {
        return find(key).orElseThrow(() -> StoreRefusal.notFound(key));
    }

    /** @param namespace empty for all */
    public Snapshot list(Resource resource, String namespace) {
        lock.lock();
        try {
            return new Snapshot(revision, List.copyOf(shelf(resource).in(namespace)));
        } finally {
            lock.unlock();
        }
    }

    /**
     * The list as it was at an earlier revision.
     *
     * @throws StoreRefusal {@code Expired} if that is too long ago
     */
    public Snapshot listAt(Resource resource, String namespace, long then) {
        lock.lock();
        try {
            Shelf shelf = shelf(resource);
            if (!shelf.reachesBackTo(then)) {
                throw StoreRefusal.expired(resource, then, shelf.forgotten());
            }
            return new Snapshot(then, List.copyOf(shelf.at(then, namespace)));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Watches from after a revision.
     *
     * @throws StoreRefusal {@code Expired} if changes after it are no longer all known
     */
    public WatchCursor watch(Resource resource, long after) {
        lock.lock();
        try {
            Shelf shelf = shelf(resource);
            if (!shelf.reachesBackTo(after)) {
                throw StoreRefusal.expired(resource, after, shelf.forgotten());
            }
            return new WatchCursor(this, resource, after);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Keeps a new object. {@code apiVersion} and {@code kind} are dropped, the rest is kept as it is but for the stamps. A {@code uid}
     * or {@code creationTimestamp} that is there stays: the cluster's own controllers choose them.
     *
     * @throws StoreRefusal {@code AlreadyExists}
     */
    public StoredObject create(ObjectKey key, ObjectNode object) {
        lock.lock();
        try {
            Shelf shelf = shelf(key.resource());
            if (shelf.objects.containsKey(key.row())) {
                throw StoreRefusal.alreadyExists(key);
            }
            ObjectNode body = Json.copy(object);
            ObjectNode metadata = Stamps.metadata(body, key);
            Stamps.withoutEmptyOwners(metadata);
            if (!metadata.hasNonNull("uid")) {
                metadata.put("uid", UUID.randomUUID().toString());
            }
            if (!metadata.hasNonNull("creationTimestamp")) {
                metadata.put("creationTimestamp", now());
            }
            if (body.has("spec")) {
                metadata.put("generation", 1);
            }
            StoredObject made = seal(key, body, metadata);
            shelf.objects.put(key.row(), made);
            shelf.append(new Change.Added(made));
            return made;
        } finally {
            release();
        }
    }

    /**
     * The object as {@link #create} or {@link #update} would keep it, without keeping it: for a dry run.
     *
     * @throws StoreRefusal {@code AlreadyExists} for a new object of a name that is taken
     */
    public StoredObject pretend(ObjectKey key, ObjectNode object) {
        lock.lock();
        try {
            StoredObject before = shelf(key.resource()).objects.get(key.row());
            ObjectNode body = Json.copy(object);
            ObjectNode metadata = Stamps.metadata(body, key);
            Stamps.withoutEmptyOwners(metadata);
            if (before != null && metadata.path("resourceVersion").isMissingNode()) {
                throw StoreRefusal.alreadyExists(key);
            }
            if (before == null) {
                metadata.put("creationTimestamp", now());
            } else {
                Stamps.carryOver(before.tree().path("metadata"), metadata);
                metadata.put("resourceVersion", Long.toString(before.revision()));
            }
            return new StoredObject(key, metadata.path("uid").asText(), before == null ? 0 : before.revision(),
                    Stamps.labels(metadata), index.fieldsOf(key.resource(), body), body);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces an object. If it names a {@code metadata.resourceVersion}, that must be the current one. A replacement
     * that changes nothing makes no new version. The last finalizer's removal from a deleted object removes it.
     *
     * @throws StoreRefusal {@code NotFound} or {@code Conflict}
     */
    public StoredObject update(ObjectKey key, ObjectNode object) {
        lock.lock();
        try {
            StoredObject before = current(key);
            JsonNode old = before.tree();
            ObjectNode body = Json.copy(object);
            ObjectNode metadata = Stamps.metadata(body, key);
            Preconditions.in(metadata).check(before);
            Stamps.carryOver(old.path("metadata"), metadata);
            if (Stamps.sameBut(old, body, "resourceVersion")) {
                return before;
            }
            if (body.has("spec") && !body.path("spec").equals(old.path("spec"))) {
                metadata.set("generation", Json.number(metadata.path("generation").asLong(0) + 1));
            }
            StoredObject after = replace(before, body, metadata);
            return finishedDeletion(body) ? remove(after) : after;
        } finally {
            release();
        }
    }

    /** Creates the object or makes it like this, keeping what was stamped, its uid first. For the cluster's own controllers. */
    public StoredObject put(ObjectKey key, ObjectNode object) {
        lock.lock();
        try {
            if (!shelf(key.resource()).objects.containsKey(key.row())) {
                return create(key, object);
            }
            ObjectNode body = object.deepCopy();
            body.withObjectProperty("metadata").remove("uid");
            return update(key, body);
        } finally {
            release();
        }
    }

    /**
     * Deletes as an API server does: an object with finalizers, or a bound pod with a grace period, only gets its
     * {@code deletionTimestamp} and stays until somebody is done with it.
     *
     * @param graceSeconds 0 removes at once unless finalizers are there
     * @return the object's last version, and whether it is gone
     * @throws StoreRefusal {@code NotFound}, or {@code Conflict} if the preconditions do not hold
     */
    public Deletion delete(ObjectKey key, int graceSeconds, Preconditions preconditions) {
        return delete(key, graceSeconds, preconditions, body -> { });
    }

    /**
     * As {@link #delete(ObjectKey, int, Preconditions)}. A namespace stays while its {@code spec.finalizers} are there.
     *
     * @param mark changes the object before it is decided whether it stays, for example adds a finalizer
     */
    public Deletion delete(ObjectKey key, int graceSeconds, Preconditions preconditions, Consumer<ObjectNode> mark) {
        lock.lock();
        try {
            StoredObject before = current(key);
            preconditions.check(before);
            ObjectNode marked = before.copy();
            mark.accept(marked);
            ObjectNode body = Json.copy(marked);
            ObjectNode metadata = (ObjectNode) body.path("metadata");
            if (graceSeconds == 0 && !isHeld(body)) {
                return new Deletion(remove(before), true);
            }
            boolean sooner = graceSeconds < metadata.path("deletionGracePeriodSeconds").asInt(0);
            if (metadata.has("deletionTimestamp") && !sooner) {
                return new Deletion(before, false);
            }
            metadata.put("deletionTimestamp", Timestamp.of(clock.instant().plusSeconds(graceSeconds)));
            metadata.put("deletionGracePeriodSeconds", graceSeconds);
            return new Deletion(replace(before, body, metadata), false);
        } finally {
            release();
        }
    }

    /** Removes whatever is there, finalizers or not. For the cluster's own controllers. */
    public void purge(ObjectKey key) {
        lock.lock();
        try {
            StoredObject before = shelf(key.resource()).objects.get(key.row());
            if (before != null) {
                remove(before);
            }
        } finally {
            release();
        }
    }

    /**
     * Has something called after each change, on the thread that made it and outside the store's lock. It must be
     * short: a control loop wakes a thread of its own.
     *
     * @return closing it ends the calls
     */
    public Listening onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Wakes every watcher; those that wait afterwards return at once. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            shelves.values().forEach(shelf -> shelf.changed.signalAll());
        } finally {
            lock.unlock();
        }
    }

    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** @param upTo everything of the resource up to this revision is in this batch or was handed out before */
    record Batch(List<Change> changes, long upTo) {
    }

    Batch awaitChanges(Resource resource, long after, int limit, Duration patience)
            throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lockInterruptibly();
        try {
            Shelf shelf = shelf(resource);
            while (true) {
                if (!shelf.reachesBackTo(after)) {
                    throw StoreRefusal.expired(resource, after, shelf.forgotten());
                }
                List<Change> found = shelf.after(after, limit);
                if (!found.isEmpty()) {
                    return new Batch(found, found.getLast().revision());
                }
                if (closed || nanos <= 0) {
                    return new Batch(found, Math.max(after, revision));
                }
                nanos = shelf.changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets go of the lock; if that was the outermost hold and something has changed under it, the listeners are told. */
    private void release() {
        boolean tell = lock.getHoldCount() == 1 && told != revision;
        if (tell) {
            told = revision;
        }
        lock.unlock();
        if (tell) {
            listeners.forEach(Runnable::run);
        }
    }

    private Shelf shelf(Resource resource) {
        return shelves.computeIfAbsent(resource, r -> new Shelf(window, FIRST_REVISION, lock.newCondition()));
    }

    private StoredObject current(ObjectKey key) {
        StoredObject found = shelf(key.resource()).objects.get(key.row());
        if (found == null) {
            throw StoreRefusal.notFound(key);
        }
        return found;
    }

    private StoredObject replace(StoredObject before, ObjectNode body, ObjectNode metadata) {
        StoredObject after = seal(before.key(), body, metadata);
        Shelf shelf = shelf(before.key().resource());
        shelf.objects.put(before.key().row(), after);
        shelf.append(new Change.Modified(before, after));
        return after;
    }

    private StoredObject remove(StoredObject before) {
        ObjectNode body = before.copy();
        StoredObject last = seal(before.key(), body, (ObjectNode) body.path("metadata"));
        Shelf shelf = shelf(before.key().resource());
        shelf.objects.remove(before.key().row());
        shelf.append(new Change.Deleted(before, last));
        return last;
    }

    private static boolean finishedDeletion(ObjectNode body) {
        JsonNode metadata = body.path("metadata");
        return metadata.has("deletionTimestamp") && !isHeld(body)
                && metadata.path("deletionGracePeriodSeconds").asInt(0) == 0;
    }

    /** Somebody has yet to finish with it. Only namespaces have finalizers in their specification. */
    private static boolean isHeld(ObjectNode body) {
        return !body.at("/metadata/finalizers").isEmpty() || !body.at("/spec/finalizers").isEmpty();
    }

    private StoredObject seal(ObjectKey key, ObjectNode body, ObjectNode metadata) {
        // From here on the tree is shared by all who read this version.
        revision++;
        metadata.put("resourceVersion", Long.toString(revision));
        return new StoredObject(key, metadata.path("uid").asText(), revision, Stamps.labels(metadata),
                index.fieldsOf(key.resource(), body), body);
    }

    private String now() {
        return Timestamp.of(clock.instant());
    }
}
