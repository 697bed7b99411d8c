package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.Json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Kubernetes' strategic merge patch: a merge patch that knows which lists are joined, and by what. */
final class StrategicMerge {
    private static final String ORDER = "$setElementOrder/";
    private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";

    private StrategicMerge() {
    }

    /** @throws ApiFailure 400 for a directive that is not known */
    static ObjectNode apply(ObjectNode target, ObjectNode patch, Schema schema) {
        String directive = patch.path("$patch").asText("");
        return switch (directive) {
            case "", "merge" -> merged(target.deepCopy(), patch, schema);
            case "replace" -> merged(Json.object(), patch, schema);
            case "delete" -> Json.object();
            default -> throw ApiFailure.badRequest("Unknown directive: " + directive);
        };
    }

    private static ObjectNode merged(ObjectNode result, ObjectNode patch, Schema schema) {
        retain(result, patch.path("$retainKeys"));
        patch.properties().forEach(field -> {
            String name = field.getKey();
            if (name.startsWith(DELETE_VALUES)) {
                deleteValues(result.path(name.substring(DELETE_VALUES.length())), field.getValue());
            } else if (!name.startsWith("$")) {
                set(result, name, field.getValue(), schema.field(name).orElse(Schema.ANY));
            }
        });
        patch.properties().forEach(field -> {
            if (field.getKey().startsWith(ORDER)) {
                String name = field.getKey().substring(ORDER.length());
                order(result, name, field.getValue(), schema.field(name).orElse(Schema.ANY));
            }
        });
        return result;
    }

    private static void retain(ObjectNode result, JsonNode keys) {
        if (!keys.isArray()) {
            return;
        }
        result.retain(Texts.list(keys));
    }

    private static void set(ObjectNode result, String name, JsonNode value, Schema schema) {
        switch (value) {
            case JsonNode gone when gone.isNull() -> result.remove(name);
            case ObjectNode object -> {
                ObjectNode old = result.path(name) instanceof ObjectNode there ? there : Json.object();
                boolean deleted = object.path("$patch").asText("").equals("delete");
                ObjectNode merged = apply(old, object, schema);
                if (deleted) {
                    result.remove(name);
                } else {
                    result.set(name, merged);
                }
            }
            case ArrayNode list when schema.strategy().merges() -> {
                ArrayNode old = result.path(name) instanceof ArrayNode there ? there : Json.object().putArray("none");
                result.set(name, schema.strategy().key().isEmpty() ? joinedValues(old, list)
                        : joined(old, list, schema));
            }
            default -> result.set(name, value.deepCopy());
        }
    }

    private static ArrayNode joinedValues(ArrayNode old, ArrayNode patch) {
        ArrayNode result = old.deepCopy();
        Set<JsonNode> there = new HashSet<>();
        result.forEach(there::add);
        patch.forEach(value -> {
            if (there.add(value)) {
                result.add(value);
            }
        });
        return result;
    }

    private static ArrayNode joined(ArrayNode old, ArrayNode patch, Schema list) {
        String key = list.strategy().key();
        ArrayNode result = old.deepCopy();
        for (JsonNode entry : patch) {
            if (entry.path("$patch").asText("").equals("replace")) {
                result.removeAll();
            }
        }
        for (JsonNode entry : patch) {
            String directive = entry.path("$patch").asText("");
            if (!(entry instanceof ObjectNode fields) || directive.equals("replace")) {
                continue;
            }
            if (!fields.has(key)) {
                throw ApiFailure.of(500, "InternalError", "map: " + entry
                        + " does not contain declared merge key: " + key);
            }
            int at = indexOf(result, key, fields.path(key));
            if (directive.equals("delete")) {
                if (at >= 0) {
                    result.remove(at);
                }
            } else if (at >= 0) {
                result.set(at, apply((ObjectNode) result.get(at), fields, list.entry()));
            } else {
                result.add(apply(Json.object(), fields, list.entry()));
            }
        }
        return result;
    }

    private static int indexOf(ArrayNode list, String key, JsonNode value) {
        for (int i = 0; i < list.size(); i++) {
            JsonNode found = list.get(i).path(key);
            boolean same = found.equals(value) || found.isNumber() && value.isNumber()
                    && found.asLong() == value.asLong();
            if (same) {
                return i;
            }
        }
        return -1;
    }

    private static void deleteValues(JsonNode list, JsonNode values) {
        if (list instanceof ArrayNode array) {
            Set<JsonNode> gone = new HashSet<>();
            values.forEach(gone::add);
            array.removeIf(gone::contains);
        }
    }

    /** Entries that the order names come in that order; the others keep their places before those that followed them. */
    private static void order(ObjectNode result, String name, JsonNode order, Schema schema) {
        if (!(result.path(name) instanceof ArrayNode list)) {
            return;
        }
        String key = schema.strategy().key();
        List<JsonNode> wanted = new ArrayList<>();
        order.forEach(entry -> wanted.add(key.isEmpty() ? entry : entry.path(key)));
        List<JsonNode> ordered = new ArrayList<>();
        wanted.forEach(value -> find(list, key, value).ifPresent(ordered::add));
        ArrayNode sorted = Json.object().putArray("sorted");
        int next = 0;
        for (JsonNode entry : list) {
            boolean named = ordered.stream().anyMatch(one -> one == entry);
            sorted.add(named ? ordered.get(next++) : entry);
        }
        result.set(name, sorted);
    }

    private static Optional<JsonNode> find(ArrayNode list, String key, JsonNode value) {
        for (JsonNode entry : list) {
            if ((key.isEmpty() ? entry : entry.path(key)).equals(value)) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }
}
