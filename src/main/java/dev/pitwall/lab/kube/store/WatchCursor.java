package dev.pitwall.lab.kube.store;

import java.time.Duration;
import java.util.List;

/**
 * One watcher's place in the log. It holds no queue of its own: a watcher that is too slow finds that its place has
 * left the window, as with a real API server. Used by one thread.
 */
public final class WatchCursor {
    private static final int BATCH = 256;

    private final ObjectStore store;
    private final Resource resource;
    private long revision;

    WatchCursor(ObjectStore store, Resource resource, long revision) {
        this.store = store;
        this.resource = resource;
        this.revision = revision;
    }

    /**
     * The next changes, waiting for one if there is none.
     *
     * @return empty after {@code patience}, or when the store was closed
     * @throws StoreRefusal {@code Expired} if changes were missed
     */
    public List<Change> next(Duration patience) throws InterruptedException {
        ObjectStore.Batch batch = store.awaitChanges(resource, revision, BATCH, patience);
        revision = batch.upTo();
        return batch.changes();
    }

    /** Everything up to this revision was handed out. */
    public long revision() {
        return revision;
    }
}
