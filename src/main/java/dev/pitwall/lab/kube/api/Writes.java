package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.apply.ApplyConflict;
import dev.pitwall.lab.kube.apply.FieldOwners;
import dev.pitwall.lab.kube.apply.FieldOwners.OnConflict;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.schema.StrictCheck;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.NameSuffix;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;

import dev.pitwall.lab.kube.store.Timestamp;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Create, update, patch and apply. */
final class Writes {
    private static final int TRIES = 5;
    private static final List<String> STAMPS = List.of("resourceVersion", "creationTimestamp", "uid", "generation",
            "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");

    private final ObjectStore store;
    private final Renderer renderer;
    private final Bodies bodies;
    private final Gate gate;
    private final InstantSource clock;

    Writes(ObjectStore store, Renderer renderer, Bodies bodies, Gate gate, InstantSource clock) {
        this.store = store;
        this.renderer = renderer;
        this.bodies = bodies;
        this.gate = gate;
        this.clock = clock;
    }

    void create(Call call, ResourceType type, RequestPath path) throws IOException {
        create(call, Target.of(type, path), bodies.object(call, type));
    }

    private void create(Call call, Target place, ObjectNode body) throws IOException {
        requireNamespace(place, body);
        if (!body.at("/metadata/resourceVersion").asText("").isEmpty()) {
            throw ApiFailure.badRequest("resourceVersion should not be set on objects to be created");
        }
        boolean generated = body.at("/metadata/name").asText("").isEmpty()
                && !body.at("/metadata/generateName").asText("").isEmpty();
        for (int attempt = 1; ; attempt++) {
            Target target = place.named(name(place.type(), body));
            ObjectNode object = fresh(target, body);
            gate.create(call, target, object);
            own(call, target, object);
            try {
                answer(call, 201, target.type(), call.dryRun() ? dry(target, object) : made(target, object));
                return;
            } catch (StoreRefusal e) {
                if (!generated || e.reason() != StoreRefusal.Reason.AlreadyExists || attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Who creates an object owns what is in it, but for a status that is not its own to write. */
    private void own(Call call, Target target, ObjectNode object) {
        ObjectNode owned = object.deepCopy();
        if (target.type().subresources().contains("status")) {
            owned.remove("status");
        }
        FieldOwners.update(Json.object(), owned, target.type().schema(), write(call, target));
        object.withObjectProperty("metadata").set("managedFields", owned.at("/metadata/managedFields"));
    }

    private StoredObject made(Target target, ObjectNode object) {
        StoredObject made = store.create(target.key(), object);
        if (target.type().qualifiedKind().equals("Namespace")) {
            // A controller of Kubernetes does this a moment later; until then no pod can be created there.
            ObjectKey account = new ObjectKey(Resource.SERVICE_ACCOUNTS, target.name(), "default");
            if (store.find(account).isEmpty()) {
                store.create(account, Json.object());
            }
        }
        return made;
    }

    private ObjectNode fresh(Target target, ObjectNode body) {
        ObjectNode object = body.deepCopy();
        ObjectNode metadata = object.withObjectProperty("metadata");
        metadata.remove(STAMPS);
        metadata.put("name", target.name()).put("uid", UUID.randomUUID().toString());
        if (target.type().namespaced()) {
            metadata.put("namespace", target.namespace());
        }
        return object;
    }

    void update(Call call, ResourceType type, RequestPath path) throws IOException {
        ObjectNode body = bodies.object(call, type);
        Target target = Target.of(type, path);
        requireNamespace(target, body);
        requireName(target, body);
        StoredObject before = store.get(target.key());
        if (type.custom() && body.at("/metadata/resourceVersion").asText("").isEmpty()) {
            throw ApiFailure.invalid(type.resource().group(), type.kind(), target.name(), List.of(
                    Problem.invalid("metadata.resourceVersion", "0x0", "must be specified for an update")));
        }
        answer(call, 200, type, keep(call, target, before, body));
    }

    void patch(Call call, ResourceType type, RequestPath path) throws IOException {
        JsonNode patch = bodies.plain(call);
        Target target = Target.of(type, path);
        boolean versioned = patch.at("/metadata/resourceVersion").isTextual();
        for (int attempt = 1; ; attempt++) {
            try {
                if (call.contentType().equals(Patches.APPLY)) {
                    apply(call, target, patch);
                } else {
                    merge(call, target, patch);
                }
                return;
            } catch (StoreRefusal e) {
                // Somebody else changed it between reading and writing; the API server tries a patch again, too.
                if (e.reason() != StoreRefusal.Reason.Conflict || versioned || attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    private void merge(Call call, Target target, JsonNode patch) throws IOException {
        ResourceType type = target.type();
        StoredObject before = store.get(target.key());
        ObjectNode patched = Patches.apply(call.contentType(), Json.read(type.named(before.json())), patch, type);
        bodies.checkPatched(call, type, patched, patch);
        requireName(target, patched);
        type.store(patched);
        answer(call, 200, type, keep(call, target, before, patched));
    }

    /** Takes another version of an object through the gate and keeps it. */
    StoredObject keep(Call call, Target target, StoredObject before, ObjectNode body) {
        ObjectNode old = before.copy();
        ObjectNode whole = withoutForeignHalf(target, old, body);
        whole.remove(List.of("apiVersion", "kind"));
        String version = whole.at("/metadata/resourceVersion").asText("");
        if (!version.isEmpty() && !version.equals(Long.toString(before.revision()))) {
            // The store refuses it with the right words.
            return store.update(target.key(), whole);
        }
        gate.update(call, target, whole, old);
        FieldOwners.update(old, whole, target.type().schema(), write(call, target));
        if (call.dryRun()) {
            whole.withObjectProperty("metadata").put("resourceVersion", Long.toString(before.revision()));
            return dry(target, whole);
        }
        return store.update(target.key(), whole);
    }

    private void apply(Call call, Target target, JsonNode patch) throws IOException {
        if (!(patch instanceof ObjectNode configuration)) {
            throw ApiFailure.badRequest("error decoding YAML: the configuration is no object");
        }
        requireApply(call, target, configuration);
        OnConflict onConflict = call.flag("force") ? OnConflict.FORCE : OnConflict.REFUSE;
        Optional<StoredObject> before = store.find(target.key());
        try {
            if (before.isEmpty()) {
                applyNew(call, target, configuration, onConflict);
                return;
            }
            ObjectNode old = before.get().copy();
            ObjectNode wanted = target.subresource().isEmpty() ? without(configuration, target) : configuration;
            ObjectNode merged = FieldOwners.apply(old, wanted, target.type().schema(), write(call, target), onConflict);
            ObjectNode whole = withoutForeignHalf(target, old, merged);
            gate.update(call, target, whole, old);
            answer(call, 200, target.type(), call.dryRun() ? dry(target, whole) : store.update(target.key(), whole));
        } catch (ApplyConflict e) {
            throw ApiFailure.conflict(e);
        }
    }

    private void applyNew(Call call, Target target, ObjectNode configuration, OnConflict onConflict)
            throws IOException {
        if (!target.subresource().isEmpty()) {
            throw ApiFailure.notFound(target.type().resource().group(), target.type().resource().plural(),
                    target.name());
        }
        ObjectNode merged = FieldOwners.apply(Json.object(), without(configuration, target), target.type().schema(),
                write(call, target), onConflict);
        JsonNode owners = merged.at("/metadata/managedFields");
        ObjectNode object = fresh(target, merged);
        gate.create(call, target, object);
        object.withObjectProperty("metadata").set("managedFields", owners);
        answer(call, 201, target.type(), call.dryRun() ? dry(target, object) : made(target, object));
    }

    private void requireApply(Call call, Target target, ObjectNode configuration) {
        if (call.query("fieldManager").isEmpty()) {
            throw ApiFailure.invalid("meta.k8s.io", "PatchOptions", "", List.of(
                    Problem.required("fieldManager", "is required for apply patch")));
        }
        if (configuration.at("/metadata/managedFields").size() > 0) {
            throw ApiFailure.badRequest("metadata.managedFields must be nil");
        }
        ResourceType type = target.type();
        if (!configuration.path("kind").asText("").equals(type.kind())
                || !configuration.path("apiVersion").asText("").equals(type.apiVersion())) {
            throw ApiFailure.badRequest("the API version in the data (" + configuration.path("apiVersion").asText("")
                    + ") does not match the expected API version (" + type.apiVersion() + ")");
        }
        requireName(target, configuration);
        requireNamespace(target, configuration);
        List<String> unknown = StrictCheck.prune(configuration, type.schema());
        if (!unknown.isEmpty()) {
            throw ApiFailure.of(500, "InternalError", "failed to create typed patch object (" + target.namespace() + "/"
                    + target.name() + "; " + type.apiVersion() + ", Kind=" + type.kind() + "): " + unknown.stream()
                    .map(text -> "." + text.substring(text.indexOf('"') + 1, text.length() - 1)
                            + ": field not declared in schema").reduce((one, other) -> one + "\n" + other).orElse(""));
        }
        type.store(configuration);
    }

    /** An applied configuration owns no status where that is a subresource. */
    private static ObjectNode without(ObjectNode configuration, Target target) {
        ObjectNode rest = configuration.deepCopy();
        if (target.type().subresources().contains("status")) {
            rest.remove("status");
        }
        return rest;
    }

    private void answer(Call call, int code, ResourceType type, StoredObject object) throws IOException {
        call.answer(code, renderer.one(type, object, call.form(), true));
    }

    private StoredObject dry(Target target, ObjectNode object) {
        return store.pretend(target.key(), object);
    }

    private FieldOwners.Write write(Call call, Target target) {
        return new FieldOwners.Write(call.fieldManager(), target.type().apiVersion(), target.subresource(),
                Timestamp.of(clock.instant()));
    }

    /** A write to {@code status} touches nothing else, and a write to the object leaves a status subresource alone. */
    private static ObjectNode withoutForeignHalf(Target target, ObjectNode before, ObjectNode body) {
        if (target.subresource().equals("status")) {
            ObjectNode whole = before.deepCopy();
            if (body.has("status")) {
                whole.set("status", body.get("status"));
            }
            for (String field : List.of("resourceVersion", "managedFields")) {
                JsonNode value = body.path("metadata").path(field);
                if (!value.isMissingNode()) {
                    whole.withObjectProperty("metadata").set(field, value);
                }
            }
            if (target.type().kind().equals("Node")) {
                // A node's labels and annotations are its kubelet's to write along with its status.
                body.at("/metadata").properties().stream().filter(field -> field.getKey().equals("labels")
                        || field.getKey().equals("annotations")).forEach(field ->
                        whole.withObjectProperty("metadata").set(field.getKey(), field.getValue()));
            }
            return whole;
        }
        if (target.type().subresources().contains("status")) {
            if (before.has("status")) {
                body.set("status", before.get("status"));
            } else {
                body.remove("status");
            }
        }
        return body;
    }

    private static void requireNamespace(Target target, ObjectNode body) {
        String namespace = body.at("/metadata/namespace").asText("");
        if (target.type().namespaced() && !namespace.isEmpty() && !namespace.equals(target.namespace())) {
            throw ApiFailure.badRequest("the namespace of the provided object does not match the namespace sent on"
                    + " the request");
        }
    }

    private static void requireName(Target target, ObjectNode body) {
        String name = body.at("/metadata/name").asText("");
        if (!name.isEmpty() && !name.equals(target.name())) {
            throw ApiFailure.badRequest("the name of the object (" + name + ") does not match the name on the URL ("
                    + target.name() + ")");
        }
    }

    private static String name(ResourceType type, JsonNode body) {
        String name = body.at("/metadata/name").asText("");
        String prefix = body.at("/metadata/generateName").asText("");
        if (!name.isEmpty()) {
            return name;
        }
        if (prefix.isEmpty()) {
            throw ApiFailure.invalid(type.resource().group(), type.kind(), "", List.of(
                    Problem.required("metadata.name", "name or generateName is required")));
        }
        return prefix + NameSuffix.of(ThreadLocalRandom.current());
    }
}
