package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Writes a namespace's default requests and limits into pods that have none. */
final class LimitRanger implements NewPods {
    private static final String NOTE = "kubernetes.io/limit-ranger";

    private final ObjectStore store;

    LimitRanger(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void admit(Request request, ObjectNode spec) {
        List<String> notes = new ArrayList<>();
        for (StoredObject range : store.list(Resource.LIMIT_RANGES, request.namespace()).objects()) {
            for (JsonNode limit : range.tree().at("/spec/limits")) {
                if (limit.path("type").asText().equals("Container")) {
                    Containers.of(spec).forEach(container -> fill(container, limit, notes));
                }
            }
        }
        if (!notes.isEmpty()) {
            request.object().withObjectProperty("metadata").withObjectProperty("annotations")
                    .put(NOTE, "LimitRanger plugin set: " + String.join("; ", notes));
        }
    }

    private static void fill(ObjectNode container, JsonNode limit, List<String> notes) {
        note(fill(container, "requests", requests(limit)), "request", container, notes);
        note(fill(container, "limits", limit.path("default")), "limit", container, notes);
    }

    /** Without a default request, the default limit is one (facts: defaults of v1.LimitRangeItem). */
    private static JsonNode requests(JsonNode limit) {
        ObjectNode requests = limit.path("defaultRequest").isObject() ? limit.path("defaultRequest").deepCopy()
                : ((ObjectNode) limit).objectNode();
        limit.path("default").properties().forEach(entry -> {
            if (!requests.has(entry.getKey())) {
                requests.set(entry.getKey(), entry.getValue());
            }
        });
        return requests;
    }

    private static TreeSet<String> fill(ObjectNode container, String field, JsonNode defaults) {
        TreeSet<String> filled = new TreeSet<>();
        defaults.properties().forEach(entry -> {
            ObjectNode amounts = container.withObjectProperty("resources").withObjectProperty(field);
            boolean capped = field.equals("requests") && container.at("/resources/limits").has(entry.getKey());
            if (!amounts.has(entry.getKey()) && !capped) {
                amounts.set(entry.getKey(), entry.getValue());
                filled.add(entry.getKey());
            }
        });
        return filled;
    }

    private static void note(TreeSet<String> filled, String what, ObjectNode container, List<String> notes) {
        if (!filled.isEmpty()) {
            notes.add(String.join(", ", filled) + " " + what + " for container " + container.path("name").asText());
        }
    }
}
