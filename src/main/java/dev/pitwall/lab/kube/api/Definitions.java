package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.Listening;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Follows the CustomResourceDefinitions in the store: what they define is served at once, before the write that defined it
 * returns. A definition that is deleted takes its objects along first.
 */
final class Definitions implements AutoCloseable {
    /** Holds a definition until its objects are gone. */
    static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    private final ObjectStore store;
    private final ResourceCatalog catalog;
    private final Listening listening;
    private final ReentrantLock lock = new ReentrantLock();
    private Set<Resource> defined = Set.of();
    private volatile long seen = -1;
    private volatile boolean dying;

    Definitions(ObjectStore store, ResourceCatalog catalog) {
        this.store = store;
        this.catalog = catalog;
        this.listening = store.onChange(this::look);
        look();
    }

    @Override
    public void close() {
        listening.close();
    }

    private void look() {
        // What is done below changes the store, too, and calls back on this thread.
        if (lock.isHeldByCurrentThread() || store.lastChange(Resource.DEFINITIONS) <= seen && !dying) {
            return;
        }
        lock.lock();
        try {
            do {
                seen = store.lastChange(Resource.DEFINITIONS);
                pass();
            } while (store.lastChange(Resource.DEFINITIONS) > seen);
        } finally {
            lock.unlock();
        }
    }

    private void pass() {
        List<StoredObject> all = store.list(Resource.DEFINITIONS, "").objects();
        Set<Resource> now = new HashSet<>();
        boolean waiting = false;
        for (StoredObject definition : all) {
            ObjectNode body = definition.copy();
            Resource resource = resource(body);
            now.add(resource);
            boolean held = Finalizers.has(body, CLEANUP);
            if (held && body.path("metadata").has("deletionTimestamp")) {
                waiting |= !cleared(resource, definition, body);
            }
        }
        defined.stream().filter(resource -> !now.contains(resource)).forEach(this::purge);
        defined = now;
        dying = waiting;
        catalog.define(store.list(Resource.DEFINITIONS, "").objects().stream().map(StoredObject::copy).toList());
    }

    /** Deletes the objects of a definition, and lets it go once there are none. */
    private boolean cleared(Resource resource, StoredObject definition, ObjectNode body) {
        for (StoredObject object : store.list(resource, "").objects()) {
            try {
                store.delete(object.key(), 0, Preconditions.NONE);
            } catch (StoreRefusal e) {
                // Somebody else has deleted it meanwhile.
            }
        }
        if (!store.list(resource, "").objects().isEmpty()) {
            return false;
        }
        Finalizers.remove(body, CLEANUP);
        try {
            store.update(definition.key(), body);
        } catch (StoreRefusal e) {
            // Changed meanwhile; that change leads here again.
            return false;
        }
        return true;
    }

    private void purge(Resource resource) {
        store.list(resource, "").objects().forEach(object -> store.purge(object.key()));
    }

    private static Resource resource(JsonNode definition) {
        return new Resource(definition.at("/spec/group").asText(), definition.at("/spec/names/plural").asText());
    }
}
