package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Snapshot;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.kube.store.WatchCursor;
import dev.pitwall.lab.net.ClientPresence;
import io.undertow.util.Headers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Watch: one virtual thread and one cursor each. */
final class Watches {
    private static final long DEFAULT_SECONDS = 1800;
    private static final Duration BOOKMARK_EVERY = Duration.ofSeconds(60);
    /** A hang-up is looked for this often, since Undertow does not read while a request is being answered. */
    private static final Duration GLANCE_EVERY = Duration.ofSeconds(1);

    private final ObjectStore store;
    private final Renderer renderer;
    private final AtomicInteger open = new AtomicInteger();

    Watches(ObjectStore store, Renderer renderer) {
        this.store = store;
        this.renderer = renderer;
    }

    int open() {
        return open.get();
    }

    void watch(Call call, ResourceType type, RequestPath path) throws IOException {
        Filter filter = Filter.of(call, type, path);
        String from = call.query("resourceVersion");
        boolean initial = from.isEmpty() || from.equals("0") || call.flag("sendInitialEvents");
        long after = call.number("resourceVersion", 0);
        if (after > store.revision()) {
            throw ApiFailure.of(504, "Timeout", "Too large resource version: " + after + ", current: "
                    + store.revision());
        }
        ClientPresence client = new ClientPresence(call.exchange());
        call.exchange().getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        open.incrementAndGet();
        try (OutputStream out = call.exchange().getOutputStream()) {
            Stream stream = new Stream(out, type, filter, call);
            long start = initial ? stream.initialEvents(path.namespace()) : after;
            stream.follow(start, client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.decrementAndGet();
        }
    }

    private final class Stream {
        private final OutputStream out;
        private final ResourceType type;
        private final Filter filter;
        private final Form form;
        private final boolean bookmarks;
        private final boolean endOfInitialEvents;
        private final long seconds;
        private boolean columnsTold;

        Stream(OutputStream out, ResourceType type, Filter filter, Call call) {
            this.out = out;
            this.type = type;
            this.filter = filter;
            this.form = call.form();
            this.bookmarks = call.flag("allowWatchBookmarks");
            this.endOfInitialEvents = call.flag("sendInitialEvents");
            this.seconds = call.number("timeoutSeconds", DEFAULT_SECONDS);
        }

        /** @return the revision the events are of */
        long initialEvents(String namespace) throws IOException {
            Snapshot snapshot = store.list(type.stored(), namespace);
            for (StoredObject object : snapshot.objects()) {
                if (filter.test(object)) {
                    event("ADDED", object);
                }
            }
            if (endOfInitialEvents && bookmarks) {
                bookmark(snapshot.revision(), true);
            }
            out.flush();
            return snapshot.revision();
        }

        void follow(long after, ClientPresence client) throws IOException, InterruptedException {
            long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
            long bookmarkAt = System.nanoTime() + BOOKMARK_EVERY.toNanos();
            out.flush();
            try {
                WatchCursor cursor = store.watch(type.stored(), after);
                while (!store.isClosed() && !client.hasHungUp()) {
                    long now = System.nanoTime();
                    if (now - end >= 0) {
                        return;
                    }
                    if (bookmarks && now - bookmarkAt >= 0) {
                        bookmark(cursor.revision(), false);
                        out.flush();
                        bookmarkAt = now + BOOKMARK_EVERY.toNanos();
                    }
                    Duration patience = Duration.ofNanos(Math.min(end - now, GLANCE_EVERY.toNanos()));
                    List<Change> changes = cursor.next(patience);
                    for (Change change : changes) {
                        tell(change);
                    }
                    if (!changes.isEmpty()) {
                        out.flush();
                    }
                }
            } catch (StoreRefusal e) {
                line("ERROR", Json.bytes(ApiFailure.from(e, "").status()));
            }
        }

        /** An object that comes into the selection is added to it, one that leaves it is deleted from it. */
        private void tell(Change change) throws IOException {
            switch (change) {
                case Change.Added added -> {
                    if (filter.test(added.now())) {
                        event("ADDED", added.now());
                    }
                }
                case Change.Modified modified -> {
                    boolean was = filter.test(modified.before());
                    boolean is = filter.test(modified.now());
                    if (was || is) {
                        event(was && is ? "MODIFIED" : is ? "ADDED" : "DELETED", modified.now());
                    }
                }
                case Change.Deleted deleted -> {
                    if (filter.test(deleted.before())) {
                        event("DELETED", deleted.last());
                    }
                }
            }
        }

        private void event(String name, StoredObject object) throws IOException {
            line(name, renderer.one(type, object, form, !columnsTold));
            columnsTold = true;
        }

        private void bookmark(long revision, boolean initialEventsEnd) throws IOException {
            ObjectNode object = Json.object().put("kind", type.kind()).put("apiVersion", type.apiVersion());
            ObjectNode metadata = object.putObject("metadata").put("resourceVersion", Long.toString(revision));
            metadata.putNull("creationTimestamp");
            if (initialEventsEnd) {
                metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
            }
            line("BOOKMARK", Json.bytes(object));
        }

        private void line(String event, byte[] object) throws IOException {
            out.write(("{\"type\":\"" + event + "\",\"object\":").getBytes(StandardCharsets.UTF_8));
            out.write(object);
            out.write("}\n".getBytes(StandardCharsets.UTF_8));
        }
    }
}
