package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Snapshot;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Get and list. */
final class Reads {
    private final ObjectStore store;
    private final Renderer renderer;

    Reads(ObjectStore store, Renderer renderer) {
        this.store = store;
        this.renderer = renderer;
    }

    void get(Call call, ResourceType type, RequestPath path) throws IOException {
        StoredObject object = store.get(Target.of(type, path).key());
        call.answer(200, renderer.one(type, object, call.form(), true));
    }

    void list(Call call, ResourceType type, RequestPath path) throws IOException {
        Filter filter = Filter.of(call, type, path);
        long limit = call.number("limit", 0);
        String token = call.query("continue");
        Place place = token.isEmpty() ? new Place(-1, "") : place(token);
        Snapshot snapshot = snapshot(call, type, path.namespace(), place);
        List<StoredObject> found = new ArrayList<>();
        String next = "";
        long remaining = 0;
        for (StoredObject object : snapshot.objects()) {
            if (row(object).compareTo(place.start()) <= 0 || !filter.test(object)) {
                continue;
            }
            if (limit > 0 && found.size() == limit) {
                next = next.isEmpty() ? token(snapshot.revision(), row(found.getLast())) : next;
                remaining++;
            } else {
                found.add(object);
            }
        }
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(snapshot.revision()));
        if (!next.isEmpty()) {
            metadata.put("continue", next);
            // With a selector the API server does not count what it has not looked at.
            if (filter.takesAll()) {
                metadata.put("remainingItemCount", remaining);
            }
        }
        try (OutputStream out = call.longAnswer()) {
            renderer.list(type, new Renderer.Page(metadata, found), call.form(), out);
        }
    }

    private Snapshot snapshot(Call call, ResourceType type, String namespace, Place place) {
        if (place.revision() >= 0) {
            try {
                return store.listAt(type.stored(), namespace, place.revision());
            } catch (StoreRefusal e) {
                throw ApiFailure.of(410, "Expired", "The provided continue parameter is too old to display a"
                        + " consistent list result. You must start a new list without the continue parameter.");
            }
        }
        long asked = call.number("resourceVersion", 0);
        if (asked > store.revision()) {
            throw ApiFailure.of(504, "Timeout", "Too large resource version: " + asked + ", current: "
                    + store.revision());
        }
        return call.query("resourceVersionMatch").equals("Exact")
                ? store.listAt(type.stored(), namespace, asked) : store.list(type.stored(), namespace);
    }

    /** Where a list goes on: at which revision, and after which row. */
    private record Place(long revision, String start) {
    }

    private static String row(StoredObject object) {
        return object.key().namespace() + "/" + object.key().name();
    }

    private static String token(long revision, String start) {
        ObjectNode token = Json.object().put("v", "meta.k8s.io/v1").put("rv", revision).put("start", start);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.bytes(token));
    }

    private static Place place(String token) {
        try {
            JsonNode read = Json.parse(Base64.getUrlDecoder().decode(token));
            return new Place(read.path("rv").asLong(), read.path("start").asText());
        } catch (IllegalArgumentException | IOException e) {
            throw ApiFailure.badRequest("continue key is not valid: it is not one of this server's");
        }
    }
}
