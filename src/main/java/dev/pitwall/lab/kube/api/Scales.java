package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.api.ResourceType.ScalePaths;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.StoredObject;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The {@code scale} subresource: {@code autoscaling/v1 Scale} over the number of replicas in an object. */
final class Scales {
    private static final String API_VERSION = "autoscaling/v1";

    private final ObjectStore store;
    private final Bodies bodies;
    private final Writes writes;
    private final ResourceType scaleType;

    Scales(ObjectStore store, Bodies bodies, Writes writes, ResourceType scaleType) {
        this.store = store;
        this.bodies = bodies;
        this.writes = writes;
        this.scaleType = scaleType;
    }

    /** @param type must have scale paths */
    void answer(Call call, String verb, ResourceType type, RequestPath path) throws IOException {
        ScalePaths paths = type.scale().orElseThrow(ApiFailure::noSuchPath);
        Target target = Target.of(type, path);
        StoredObject object = store.get(target.key());
        switch (verb) {
            case "get" -> call.answer(200, scale(object, paths));
            case "update" -> write(call, target, object, paths, bodies.plainObject(call));
            case "patch" -> write(call, target, object, paths, Patches.apply(call.contentType(), scale(object, paths),
                    bodies.plain(call), scaleType));
            default -> throw ApiFailure.notAllowed();
        }
    }

    private void write(Call call, Target target, StoredObject object, ScalePaths paths, ObjectNode scale)
            throws IOException {
        JsonNode wanted = scale.at("/spec/replicas");
        if (wanted.asLong(0) < 0) {
            throw ApiFailure.invalid("autoscaling", "Scale", target.name(), List.of(Problem.invalid("spec.replicas",
                    wanted.asText(), "must be greater than or equal to 0")));
        }
        ObjectNode body = object.copy();
        String version = scale.at("/metadata/resourceVersion").asText("");
        if (!version.isEmpty()) {
            body.withObjectProperty("metadata").put("resourceVersion", version);
        }
        int slash = paths.spec().lastIndexOf('/');
        body.withObject(paths.spec().substring(0, slash)).put(paths.spec().substring(slash + 1), wanted.asInt(0));
        call.answer(200, scale(writes.keep(call, target, object, body), paths));
    }

    private static ObjectNode scale(StoredObject object, ScalePaths paths) {
        JsonNode body = object.tree();
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", API_VERSION);
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            if (body.path("metadata").has(field)) {
                metadata.set(field, body.path("metadata").get(field));
            }
        }
        scale.putObject("spec").put("replicas", body.at(paths.spec()).asInt(0));
        ObjectNode status = scale.putObject("status").put("replicas", body.at(paths.status()).asInt(0));
        String selector = paths.selector().isEmpty() ? "" : selector(body.at(paths.selector()));
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    private static String selector(JsonNode selector) {
        if (selector.isTextual()) {
            return selector.asText();
        }
        List<String> terms = new ArrayList<>();
        selector.path("matchLabels").properties().forEach(label ->
                terms.add(label.getKey() + "=" + label.getValue().asText()));
        selector.path("matchExpressions").forEach(term -> {
            List<String> values = Texts.list(term.path("values"));
            String key = term.path("key").asText();
            terms.add(switch (term.path("operator").asText()) {
                case "In" -> key + " in (" + String.join(",", values) + ")";
                case "NotIn" -> key + " notin (" + String.join(",", values) + ")";
                case "Exists" -> key;
                default -> "!" + key;
            });
        });
        return String.join(",", terms);
    }
}
