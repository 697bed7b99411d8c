package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.object.PodLife;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.store.Deletion;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Delete and deletecollection. What depends on an object is the garbage collector's to delete; here it is only recorded how. */
final class Deletions {

    private final ObjectStore store;
    private final Renderer renderer;
    private final Bodies bodies;
    private final Gate gate;

    Deletions(ObjectStore store, Renderer renderer, Bodies bodies, Gate gate) {
        this.store = store;
        this.renderer = renderer;
        this.bodies = bodies;
        this.gate = gate;
    }

    void delete(Call call, ResourceType type, RequestPath path) throws IOException {
        JsonNode options = bodies.plain(call);
        Target target = Target.of(type, path);
        StoredObject before = store.get(target.key());
        Deletion deletion = delete(call, target, before, options);
        if (deletion.gone() && !type.kind().equals("Pod")) {
            call.answer(200, success(type, path, before));
        } else {
            call.answer(200, renderer.one(type, deletion.last(), call.form(), true));
        }
    }

    /** Deletes with the options of a request or an eviction. */
    Deletion delete(Call call, Target target, StoredObject before, JsonNode options) {
        gate.delete(call, target, before.copy());
        Preconditions preconditions = new Preconditions(
                Optional.of(options.at("/preconditions/uid").asText("")).filter(uid -> !uid.isEmpty()),
                options.at("/preconditions/resourceVersion").isTextual()
                        ? OptionalLong.of(options.at("/preconditions/resourceVersion").asLong())
                        : OptionalLong.empty());
        if (dryRun(call, options)) {
            return new Deletion(before, true);
        }
        String finalizer = finalizer(call, options);
        return store.delete(target.key(), grace(call, target.type(), options, before), preconditions,
                body -> mark(target.type(), body, finalizer));
    }

    private static boolean dryRun(Call call, JsonNode options) {
        return call.dryRun() || options.path("dryRun").path(0).asText("").equals("All");
    }

    private static void mark(ResourceType type, ObjectNode body, String finalizer) {
        if (type.qualifiedKind().equals("Namespace") && !body.at("/spec/finalizers").isEmpty()) {
            body.withObjectProperty("status").put("phase", "Terminating");
        }
        if (!finalizer.isEmpty()) {
            Finalizers.add(body, finalizer);
        }
    }

    private static String finalizer(Call call, JsonNode options) {
        String policy = call.query("propagationPolicy").isEmpty() ? options.path("propagationPolicy").asText("")
                : call.query("propagationPolicy");
        return switch (policy) {
            case "Foreground" -> Finalizers.FOREGROUND;
            case "Orphan" -> Finalizers.ORPHAN;
            case "", "Background" -> options.path("orphanDependents").asBoolean() ? Finalizers.ORPHAN : "";
            default -> throw ApiFailure.invalid("meta.k8s.io", "DeleteOptions", "", List.of(Problem.unsupported(
                    "propagationPolicy", Problem.quoted(policy), List.of("Foreground", "Background", "Orphan", "nil"))));
        };
    }

    private static int grace(Call call, ResourceType type, JsonNode options, StoredObject object) {
        if (!type.kind().equals("Pod") || !PodLife.takesTimeToStop(object.tree())) {
            return 0;
        }
        return (int) call.number("gracePeriodSeconds",
                options.path("gracePeriodSeconds").asInt(PodLife.grace(object.tree())));
    }

    void deleteCollection(Call call, ResourceType type, RequestPath path) throws IOException {
        JsonNode options = bodies.plain(call);
        Filter filter = Filter.of(call, type, path);
        List<StoredObject> deleted = new ArrayList<>();
        for (StoredObject object : store.list(type.stored(), path.namespace()).objects()) {
            if (filter.test(object)) {
                try {
                    delete(call, new Target(type, object.key().namespace(), object.key().name(), ""), object, options);
                    deleted.add(object);
                } catch (StoreRefusal e) {
                    // Gone already, or changed against a precondition: the others go on.
                }
            }
        }
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(store.revision()));
        try (OutputStream out = call.longAnswer()) {
            renderer.list(type, new Renderer.Page(metadata, deleted), call.form(), out);
        }
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
