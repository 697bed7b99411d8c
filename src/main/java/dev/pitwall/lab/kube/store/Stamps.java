package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The metadata that only the store writes. */
final class Stamps {
    private static final List<String> LASTING =
            List.of("uid", "creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds");

    private Stamps() {
    }

    /** Brings a body into the form that is kept, and returns its metadata with name and namespace of the key. */
    static ObjectNode metadata(ObjectNode body, ObjectKey key) {
        body.remove(List.of("apiVersion", "kind"));
        ObjectNode metadata = body.withObjectProperty("metadata");
        if (metadata.has("managedFields") && metadata.path("managedFields").isEmpty()) {
            metadata.putNull("managedFields");
        }
        metadata.put("name", key.name());
        if (!key.namespace().isEmpty()) {
            metadata.put("namespace", key.namespace());
        }
        return metadata;
    }

    /** What an update cannot change is taken from the object as it was. */
    static void carryOver(JsonNode old, ObjectNode metadata) {
        for (String name : LASTING) {
            if (old.has(name)) {
                metadata.set(name, old.get(name));
            } else {
                metadata.remove(name);
            }
        }
        // Who does not speak of the owners of fields leaves them; an empty list, which came as null, takes them away.
        if (!metadata.has("managedFields") && old.has("managedFields")) {
            metadata.set("managedFields", old.get("managedFields"));
        }
        withoutEmptyOwners(metadata);
    }

    static void withoutEmptyOwners(ObjectNode metadata) {
        if (metadata.path("managedFields").isNull()) {
            metadata.remove("managedFields");
        }
    }

    /** True if two bodies are equal but for one field of their metadata. Changes the second's metadata. */
    static boolean sameBut(JsonNode old, ObjectNode body, String field) {
        ObjectNode metadata = (ObjectNode) body.path("metadata");
        metadata.set(field, old.path("metadata").path(field));
        return body.equals(old);
    }

    static Map<String, String> labels(ObjectNode metadata) {
        Map<String, String> labels = new HashMap<>();
        metadata.path("labels").properties().forEach(label -> labels.put(label.getKey().intern(),
                label.getValue().asText().intern()));
        return Map.copyOf(labels);
    }
}
