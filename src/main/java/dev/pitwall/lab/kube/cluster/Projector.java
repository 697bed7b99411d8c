package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.StoredObject;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the store hold what is desired, and touches only what has changed since the last time, so watchers see real
 * changes and what clients wrote into an object stays. A pod that somebody deleted is followed by a new one. Used by
 * one thread.
 */
final class Projector {
    private final ObjectStore store;
    private final Incarnations incarnations;
    private final Map<ObjectKey, Applied> applied = new HashMap<>();

    /** @param place empty if the object fills none */
    private record Applied(byte[] json, long revision, String place) {
    }

    Projector(ObjectStore store, Incarnations incarnations) {
        this.store = store;
        this.incarnations = incarnations;
    }

    /** @return true if a place has to be filled anew, so that another pass is due at once */
    boolean apply(Desired desired, Instant now) {
        boolean again = false;
        for (Map.Entry<ObjectKey, ObjectNode> entry : desired.objects().entrySet()) {
            again |= apply(entry.getKey(), entry.getValue(), desired.places().getOrDefault(entry.getKey(), ""), now);
        }
        removeOthers(desired);
        return again;
    }

    private void removeOthers(Desired desired) {
        Set<String> filled = Set.copyOf(desired.places().values());
        Iterator<Map.Entry<ObjectKey, Applied>> known = applied.entrySet().iterator();
        while (known.hasNext()) {
            Map.Entry<ObjectKey, Applied> entry = known.next();
            if (!desired.objects().containsKey(entry.getKey())) {
                store.purge(entry.getKey());
                known.remove();
                if (!filled.contains(entry.getValue().place())) {
                    incarnations.emptied(entry.getValue().place());
                }
            }
        }
    }

    private boolean apply(ObjectKey key, ObjectNode object, String place, Instant now) {
        byte[] json = Json.bytes(object);
        Applied last = applied.get(key);
        if (last == null) {
            remember(key, json, store.put(key, object), place);
            return false;
        }
        Optional<StoredObject> current = store.find(key);
        if (current.isEmpty() || current.get().revision() != last.revision() && isStopped(current.get(), last, now)) {
            return replaced(key, json, object, place, now);
        }
        if (!Arrays.equals(json, last.json())) {
            ObjectNode merged = current.get().tree();
            carry(Json.read(last.json()), object, merged);
            remember(key, json, store.put(key, merged), place);
        }
        return false;
    }

    /** Somebody deleted it, and its kubelet has had the time to stop it. */
    private static boolean isStopped(StoredObject current, Applied last, Instant now) {
        JsonNode metadata = current.tree().path("metadata");
        boolean ours = Json.read(last.json()).path("metadata").has("deletionTimestamp");
        return metadata.has("deletionTimestamp") && !ours && metadata.path("finalizers").isEmpty()
                && now.isAfter(Instant.parse(metadata.path("deletionTimestamp").asText()).minusSeconds(
                        Math.max(0, metadata.path("deletionGracePeriodSeconds").asInt() - 2)));
    }

    private boolean replaced(ObjectKey key, byte[] json, ObjectNode object, String place, Instant now) {
        store.purge(key);
        if (place.isEmpty()) {
            remember(key, json, store.put(key, object), place);
            return false;
        }
        applied.remove(key);
        incarnations.deleted(place, now);
        return true;
    }

    private void remember(ObjectKey key, byte[] json, StoredObject stored, String place) {
        applied.put(key, new Applied(json, stored.revision(), place));
    }

    /** Writes into {@code target} what differs between two desired states, and leaves the rest as it is. */
    private static void carry(JsonNode before, JsonNode after, ObjectNode target) {
        after.properties().forEach(field -> {
            String name = field.getKey();
            JsonNode old = before.path(name);
            JsonNode fresh = field.getValue();
            if (old.equals(fresh)) {
                return;
            }
            if (old.isObject() && fresh.isObject() && target.path(name) instanceof ObjectNode inner) {
                carry(old, fresh, inner);
            } else {
                target.set(name, fresh);
            }
        });
        before.properties().forEach(field -> {
            if (!after.has(field.getKey())) {
                target.remove(field.getKey());
            }
        });
    }
}
