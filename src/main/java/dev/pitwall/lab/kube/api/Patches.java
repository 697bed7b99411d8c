package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.kube.store.Json;

import java.util.Optional;

/** The patch forms: JSON merge (RFC 7386), JSON patch (RFC 6902) and Kubernetes' strategic merge. */
final class Patches {
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    /** Server-side apply, which is no patch of this kind. */
    static final String APPLY = "application/apply-patch+yaml";

    private Patches() {
    }

    /** @throws ApiFailure if the patch is malformed, of a form that the resource does not take, or does not fit the object */
    static ObjectNode apply(String contentType, ObjectNode object, JsonNode patch, ResourceType type) {
        JsonNode result = switch (contentType) {
            case MERGE -> merge(object, patch);
            case STRATEGIC -> {
                if (type.custom()) {
                    throw unsupported(type);
                }
                yield patch instanceof ObjectNode fields ? StrategicMerge.apply(object, fields, type.schema()) : patch;
            }
            case JSON_PATCH -> operations(object, patch);
            default -> throw unsupported(type);
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

    private static ApiFailure unsupported(ResourceType type) {
        return ApiFailure.of(415, "UnsupportedMediaType", "the body of the request was in an unknown format - accepted"
                + " media types include: " + JSON_PATCH + ", " + MERGE + ", "
                + (type.custom() ? APPLY : STRATEGIC + ", " + APPLY));
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
