package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.kube.store.Json;

import java.util.Map;
import java.util.Optional;

/** The patch forms: JSON merge (RFC 7386), JSON patch (RFC 6902) and Kubernetes' strategic merge. */
final class Patches {
    /** Lists that a strategic merge joins by a key instead of replacing them, by field name (patchMergeKey). */
    private static final Map<String, String> MERGE_KEYS = Map.ofEntries(
            Map.entry("containers", "name"), Map.entry("initContainers", "name"), Map.entry("env", "name"),
            Map.entry("volumes", "name"), Map.entry("volumeMounts", "mountPath"), Map.entry("conditions", "type"),
            Map.entry("imagePullSecrets", "name"), Map.entry("ownerReferences", "uid"),
            Map.entry("addresses", "type"), Map.entry("ports", "containerPort"));

    private Patches() {
    }

    /** @throws ApiFailure if the patch is malformed, of an unknown form, or does not fit the object */
    static ObjectNode apply(String contentType, ObjectNode object, JsonNode patch) {
        JsonNode result = switch (contentType) {
            case "application/merge-patch+json" -> merge(object, patch);
            case "application/strategic-merge-patch+json" -> strategic(object, patch);
            case "application/json-patch+json" -> operations(object, patch);
            default -> throw ApiFailure.of(415, "UnsupportedMediaType", "the body of the request was in an unknown"
                    + " format - accepted media types include: application/json-patch+json,"
                    + " application/merge-patch+json, application/strategic-merge-patch+json");
        };
        return switch (result) {
            case ObjectNode whole -> whole;
            default -> throw ApiFailure.badRequest("the patch does not leave an object");
        };
    }

    private static JsonNode merge(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch;
        }
        ObjectNode result = target instanceof ObjectNode object ? object.deepCopy() : emptyObject();
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                result.remove(field.getKey());
            } else {
                result.set(field.getKey(), merge(result.path(field.getKey()), field.getValue()));
            }
        });
        return result;
    }

    private static JsonNode strategic(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode fields)) {
            return patch;
        }
        ObjectNode result = target instanceof ObjectNode object ? object.deepCopy() : emptyObject();
        if (fields.path("$patch").asText("").equals("replace")) {
            result.removeAll();
        }
        fields.properties().forEach(field -> {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (name.startsWith("$")) {
                return;
            }
            if (value.isNull()) {
                result.remove(name);
            } else if (value instanceof ArrayNode list && result.path(name) instanceof ArrayNode old
                    && MERGE_KEYS.containsKey(name)) {
                result.set(name, joined(old, list, MERGE_KEYS.get(name)));
            } else {
                result.set(name, strategic(result.path(name), value));
            }
        });
        return result;
    }

    private static ArrayNode joined(ArrayNode old, ArrayNode patch, String key) {
        ArrayNode result = old.deepCopy();
        for (JsonNode entry : patch) {
            int at = indexOf(result, key, entry.path(key));
            if (entry.path("$patch").asText("").equals("delete")) {
                if (at >= 0) {
                    result.remove(at);
                }
            } else if (at >= 0) {
                result.set(at, strategic(result.get(at), entry));
            } else {
                result.add(strategic(emptyObject(), entry));
            }
        }
        return result;
    }

    private static int indexOf(ArrayNode list, String key, JsonNode value) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).path(key).equals(value)) {
                return i;
            }
        }
        return -1;
    }

    private static JsonNode operations(ObjectNode object, JsonNode patch) {
        if (!patch.isArray()) {
            throw ApiFailure.badRequest("a JSON patch must be a list of operations");
        }
        JsonNode result = object.deepCopy();
        for (JsonNode operation : patch) {
            String path = operation.path("path").asText();
            result = switch (operation.path("op").asText()) {
                case "add" -> with(result, path, operation.path("value"), true);
                case "replace" -> with(result, path, operation.path("value"), false);
                case "remove" -> without(result, path);
                case "copy" -> with(result, path, existing(result, operation.path("from").asText()).deepCopy(), true);
                case "move" -> {
                    JsonNode moved = existing(result, operation.path("from").asText());
                    yield with(without(result, operation.path("from").asText()), path, moved, true);
                }
                case "test" -> {
                    if (!result.at(path).equals(operation.path("value"))) {
                        throw invalid("testing value " + path + " failed");
                    }
                    yield result;
                }
                default -> throw ApiFailure.badRequest("unexpected kind: " + operation.path("op").asText());
            };
        }
        return result;
    }

    private static JsonNode with(JsonNode root, String path, JsonNode value, boolean insert) {
        if (path.isEmpty()) {
            return value;
        }
        String last = last(path);
        switch (parent(root, path).orElseThrow(() -> missing(path))) {
            case ObjectNode object -> {
                if (!insert && !object.has(last)) {
                    throw missing(path);
                }
                object.set(last, value);
            }
            case ArrayNode list -> {
                int index = last.equals("-") ? list.size() : index(last, path);
                if (index > list.size() || !insert && index >= list.size()) {
                    throw missing(path);
                }
                if (insert) {
                    list.insert(index, value);
                } else {
                    list.set(index, value);
                }
            }
            default -> throw missing(path);
        }
        return root;
    }

    private static JsonNode without(JsonNode root, String path) {
        existing(root, path);
        switch (parent(root, path).orElseThrow(() -> missing(path))) {
            case ObjectNode object -> object.remove(last(path));
            case ArrayNode list -> list.remove(index(last(path), path));
            default -> throw missing(path);
        }
        return root;
    }

    private static JsonNode existing(JsonNode root, String path) {
        JsonNode found = root.at(path);
        if (found.isMissingNode()) {
            throw missing(path);
        }
        return found;
    }

    private static Optional<JsonNode> parent(JsonNode root, String path) {
        JsonNode found = root.at(path.substring(0, Math.max(0, path.lastIndexOf('/'))));
        return found.isMissingNode() ? Optional.empty() : Optional.of(found);
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('/') + 1).replace("~1", "/").replace("~0", "~");
    }

    private static int index(String text, String path) {
        if (!text.matches("\\d{1,6}")) {
            throw missing(path);
        }
        return Integer.parseInt(text);
    }

    private static ApiFailure missing(String path) {
        return invalid("operation does not apply: doc is missing path: \"" + path + "\": missing value");
    }

    private static ApiFailure invalid(String detail) {
        return ApiFailure.of(422, "Invalid", "the server rejected our request due to an error in our request: "
                + detail);
    }

    private static ObjectNode emptyObject() {
        return Json.object();
    }
}
