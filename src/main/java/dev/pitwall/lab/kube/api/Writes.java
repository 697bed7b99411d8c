package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.ObjectStore.Deletion;
import dev.pitwall.lab.kube.store.ObjectStore.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** Create, update, patch and delete. */
final class Writes {
    private static final int GENERATED_BYTES = 3;
    private static final int PATCH_TRIES = 5;
    private static final String NAME = "[a-z0-9]([-a-z0-9.:]*[a-z0-9])?";

    private final ObjectStore store;
    private final Renderer renderer;
    private final Random random = new Random();

    Writes(ObjectStore store, Renderer renderer) {
        this.store = store;
        this.renderer = renderer;
    }

    void create(Call call, ResourceType type, RequestPath path) throws IOException {
        ObjectNode body = call.objectBody();
        requireKind(type, body);
        requireNamespace(type, path, body);
        ObjectKey key = new ObjectKey(type.resource(), path.namespace(), name(type, body.path("metadata")));
        if (type.namespaced() && store.find(new ObjectKey(Resource.core("namespaces"), "", path.namespace()))
                .isEmpty()) {
            throw ApiFailure.of(404, "NotFound", "namespaces \"" + path.namespace() + "\" not found");
        }
        if (body.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("resourceVersion", "creationTimestamp", "uid", "generation", "deletionTimestamp"));
        }
        if (type.kind().equals("Pod")) {
            body.putObject("status").put("phase", "Pending").put("qosClass", "BestEffort");
        }
        if (call.query("dryRun").equals("All")) {
            call.answer(201, type.named(Json.bytes(body)));
            return;
        }
        answer(call, 201, type, store.create(key, body));
    }

    void update(Call call, ResourceType type, RequestPath path) throws IOException {
        ObjectNode body = call.objectBody();
        requireKind(type, body);
        ObjectKey key = key(type, path);
        ObjectNode whole = withoutForeignHalf(type, path, store.get(key).tree(), body);
        answer(call, 200, type, call.query("dryRun").equals("All") ? store.get(key) : store.update(key, whole));
    }

    void patch(Call call, ResourceType type, RequestPath path) throws IOException {
        JsonNode patch = call.body();
        ObjectKey key = key(type, path);
        for (int attempt = 1; ; attempt++) {
            StoredObject before = store.get(key);
            ObjectNode patched = Patches.apply(call.contentType(), before.tree(), patch);
            ObjectNode whole = withoutForeignHalf(type, path, before.tree(), patched);
            try {
                answer(call, 200, type, store.update(key, whole));
                return;
            } catch (StoreRefusal e) {
                // Somebody else changed it between reading and writing; the API server tries a patch again, too.
                boolean asked = patch.at("/metadata/resourceVersion").isTextual();
                if (e.reason() != StoreRefusal.Reason.Conflict || asked || attempt == PATCH_TRIES) {
                    throw e;
                }
            }
        }
    }

    void delete(Call call, ResourceType type, RequestPath path) throws IOException {
        JsonNode options = call.body();
        ObjectKey key = key(type, path);
        StoredObject before = store.get(key);
        Preconditions preconditions = new Preconditions(
                Optional.of(options.at("/preconditions/uid").asText("")).filter(uid -> !uid.isEmpty()),
                options.at("/preconditions/resourceVersion").isTextual()
                        ? OptionalLong.of(options.at("/preconditions/resourceVersion").asLong())
                        : OptionalLong.empty());
        Deletion deletion = store.delete(key, grace(call, type, options, before), preconditions);
        if (deletion.gone() && !type.kind().equals("Pod")) {
            call.answer(200, success(type, path, before));
        } else {
            answer(call, 200, type, deletion.last());
        }
    }

    private static int grace(Call call, ResourceType type, JsonNode options, StoredObject object) {
        // Only a pod that a kubelet runs takes time to stop.
        if (!type.kind().equals("Pod") || object.fields().getOrDefault("spec.nodeName", "").isEmpty()) {
            return 0;
        }
        int own = object.tree().at("/spec/terminationGracePeriodSeconds").asInt(30);
        return (int) call.number("gracePeriodSeconds", options.path("gracePeriodSeconds").asInt(own));
    }

    private void answer(Call call, int code, ResourceType type, StoredObject object) throws IOException {
        call.answer(code, renderer.one(type, object, call.form(), true));
    }

    private static ObjectKey key(ResourceType type, RequestPath path) {
        return new ObjectKey(type.resource(), path.namespace(), path.name());
    }

    /** A write to {@code status} touches nothing else, and a write to the object leaves a status subresource alone. */
    private static ObjectNode withoutForeignHalf(ResourceType type, RequestPath path, ObjectNode before,
                                                 ObjectNode body) {
        if (path.subresource().equals("status")) {
            ObjectNode whole = before.deepCopy();
            if (body.has("status")) {
                whole.set("status", body.get("status"));
            }
            return whole;
        }
        if (type.subresources().contains("status")) {
            if (before.has("status")) {
                body.set("status", before.get("status"));
            } else {
                body.remove("status");
            }
        }
        return body;
    }

    private static void requireKind(ResourceType type, ObjectNode body) {
        String kind = body.path("kind").asText("");
        String version = body.path("apiVersion").asText("");
        if (!kind.isEmpty() && !kind.equals(type.kind()) || !version.isEmpty() && !version.equals(type.apiVersion())) {
            throw ApiFailure.badRequest("the API version in the data (" + version + ", Kind=" + kind
                    + ") does not match the expected API version (" + type.apiVersion() + ")");
        }
    }

    private static void requireNamespace(ResourceType type, RequestPath path, ObjectNode body) {
        String namespace = body.at("/metadata/namespace").asText("");
        if (type.namespaced() && !namespace.isEmpty() && !namespace.equals(path.namespace())) {
            throw ApiFailure.badRequest("the namespace of the provided object does not match the namespace sent on"
                    + " the request");
        }
    }

    private String name(ResourceType type, JsonNode metadata) {
        String name = metadata.path("name").asText("");
        String prefix = metadata.path("generateName").asText("");
        if (name.isEmpty() && !prefix.isEmpty()) {
            byte[] suffix = new byte[GENERATED_BYTES];
            random.nextBytes(suffix);
            return prefix + HexFormat.of().formatHex(suffix).substring(1);
        }
        if (!name.matches(NAME)) {
            throw ApiFailure.of(422, "Invalid", type.kind() + " \"" + name + "\" is invalid: metadata.name: "
                    + (name.isEmpty() ? "Required value: name or generateName is required"
                    : "Invalid value: \"" + name + "\": a lowercase RFC 1123 subdomain must consist of lower case"
                    + " alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"));
        }
        return name;
    }

    private static ObjectNode success(ResourceType type, RequestPath path, StoredObject object) {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details").put("name", path.name());
        if (!type.resource().group().isEmpty()) {
            details.put("group", type.resource().group());
        }
        details.put("kind", type.resource().plural()).put("uid", object.uid());
        return status;
    }
}
