package dev.pitwall.journey.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Parts of objects as trees of JSON: what a change says of an object is no more than the fields that it names. A field
 * that is {@code null} in a part is one that is not there in the object, as in a JSON merge patch (RFC 7396).
 */
public final class Tree {
    private Tree() {
    }

    /**
     * True if the object has everything that the part names. What the object has beside that does not matter; a list
     * must have all items of the part's list in their order.
     */
    public static boolean holds(JsonNode object, JsonNode part) {
        if (part.isNull()) {
            return object.isMissingNode() || object.isNull();
        }
        if (part.isObject()) {
            // The API server drops what is empty.
            return part.properties().stream().allMatch(field -> holds(object.path(field.getKey()), field.getValue()));
        }
        return part.isArray() ? holdsItems(object, part) : sameScalar(object, part);
    }

    private static boolean holdsItems(JsonNode list, JsonNode part) {
        int at = 0;
        for (JsonNode item : part) {
            while (at < list.size() && !holds(list.get(at), item)) {
                at++;
            }
            if (at == list.size()) {
                return false;
            }
            at++;
        }
        return true;
    }

    /** A number that was written as text, or the other way round, is another value to Kubernetes. */
    private static boolean sameScalar(JsonNode value, JsonNode other) {
        return value.isNumber() && other.isNumber() ? value.decimalValue().compareTo(other.decimalValue()) == 0
                : value.equals(other);
    }

    /**
     * The same fields that the part names, as the object has them now; {@code null} for those that it has not. Lists are
     * taken whole.
     */
    public static JsonNode same(JsonNode object, JsonNode part) {
        if (!part.isObject()) {
            return object.isMissingNode() ? JsonNodeFactory.instance.nullNode() : object.deepCopy();
        }
        ObjectNode found = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : part.properties()) {
            found.set(field.getKey(), same(object.path(field.getKey()), field.getValue()));
        }
        return found;
    }

    /** What of a part has another value than in the part of before; an empty object where nothing has. */
    public static JsonNode differing(JsonNode before, JsonNode part) {
        ObjectNode differs = JsonNodeFactory.instance.objectNode();
        part.properties().forEach(field -> {
            JsonNode was = before.path(field.getKey());
            if (field.getValue().isObject() && was.isObject()) {
                JsonNode below = differing(was, field.getValue());
                if (!below.isEmpty()) {
                    differs.set(field.getKey(), below);
                }
            } else if (!holds(was, field.getValue()) || was.size() != field.getValue().size()) {
                differs.set(field.getKey(), field.getValue());
            }
        });
        return differs;
    }

    /** The places of the fields that a part names, for example {@code /machine/kernel/modules}. */
    public static List<String> leaves(JsonNode part) {
        List<String> places = new ArrayList<>();
        part.properties().forEach(field -> {
            if (field.getValue().isObject() && !field.getValue().isEmpty()) {
                leaves(field.getValue()).forEach(below -> places.add("/" + field.getKey() + below));
            } else {
                places.add("/" + field.getKey());
            }
        });
        return places;
    }

    /** A tree with another one laid over it: fields of the upper one win, objects of both are joined. */
    public static JsonNode over(JsonNode tree, JsonNode upper) {
        if (!tree.isObject() || !upper.isObject()) {
            return upper.deepCopy();
        }
        ObjectNode joined = tree.deepCopy();
        upper.properties().forEach(field -> joined.set(field.getKey(),
                joined.has(field.getKey()) ? over(joined.get(field.getKey()), field.getValue())
                        : field.getValue().deepCopy()));
        return joined;
    }
}
