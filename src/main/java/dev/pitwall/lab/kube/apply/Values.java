package dev.pitwall.lab.kube.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.schema.Schema.ListKind;
import dev.pitwall.lab.kube.schema.Schema.Shape;

/** Values as field ownership sees them: which paths they have, where two differ, and how one is laid over another. */
final class Values {

    private Values() {
    }

    /** True if ownership goes into the value and not just up to it. */
    private static boolean opens(JsonNode value, Schema schema) {
        if (schema.atomic()) {
            return false;
        }
        return value.isObject() && schema.shape() != Shape.SCALAR
                || value.isArray() && schema.shape() == Shape.LIST && schema.lists().kind() != ListKind.ATOMIC;
    }

    private static Schema part(Schema schema, String name) {
        return schema.field(name).orElse(Schema.ANY);
    }

    /** Every path an applied value names. */
    static FieldSet paths(JsonNode value, Schema schema) {
        FieldSet set = new FieldSet();
        if (!opens(value, schema) || value.isEmpty()) {
            return set.add();
        }
        if (value.isObject()) {
            value.properties().forEach(field -> set.children().put(PathElement.field(field.getKey()),
                    paths(field.getValue(), part(schema, field.getKey()))));
            return set;
        }
        for (JsonNode entry : value) {
            FieldSet below = paths(entry, schema.entry());
            set.children().put(PathElement.entry(entry, schema), below.add());
        }
        return set;
    }

    /** The paths at which {@code after} has something that {@code before} has not, or has otherwise. */
    static FieldSet changed(JsonNode before, JsonNode after, Schema schema) {
        FieldSet set = new FieldSet();
        if (before.isMissingNode()) {
            return paths(after, schema);
        }
        if (before.equals(after)) {
            return set;
        }
        if (!opens(after, schema) || before.getNodeType() != after.getNodeType()) {
            return set.add();
        }
        if (after.isObject()) {
            after.properties().forEach(field -> put(set, PathElement.field(field.getKey()),
                    changed(before.path(field.getKey()), field.getValue(), part(schema, field.getKey()))));
            return set;
        }
        for (JsonNode entry : after) {
            String element = PathElement.entry(entry, schema);
            int at = PathElement.index((ArrayNode) before, element, schema);
            JsonNode old = at < 0 ? MissingNode.getInstance() : before.get(at);
            FieldSet below = changed(old, entry, schema.entry());
            put(set, element, at < 0 ? below.add() : below);
        }
        return set;
    }

    /** The paths that {@code before} has and {@code after} has not; what is below a path that is gone is in it. */
    static FieldSet removed(JsonNode before, JsonNode after, Schema schema) {
        FieldSet set = new FieldSet();
        if (!opens(before, schema) || before.getNodeType() != after.getNodeType()) {
            return after.isMissingNode() ? set.add() : set;
        }
        if (before.isObject()) {
            before.properties().forEach(field -> put(set, PathElement.field(field.getKey()),
                    gone(field.getValue(), after.path(field.getKey()), part(schema, field.getKey()))));
            return set;
        }
        for (JsonNode entry : before) {
            String element = PathElement.entry(entry, schema);
            int at = PathElement.index((ArrayNode) after, element, schema);
            put(set, element, gone(entry, at < 0 ? MissingNode.getInstance() : after.get(at), schema.entry()));
        }
        return set;
    }

    private static FieldSet gone(JsonNode before, JsonNode after, Schema schema) {
        return after.isMissingNode() ? new FieldSet().add() : removed(before, after, schema);
    }

    private static void put(FieldSet set, String element, FieldSet below) {
        if (!below.isEmpty()) {
            set.children().put(element, below);
        }
    }

    /** Lays an applied value over what is there. */
    static JsonNode merge(JsonNode base, JsonNode over, Schema schema) {
        if (!opens(over, schema) || base.getNodeType() != over.getNodeType()) {
            return over.deepCopy();
        }
        if (base instanceof ObjectNode object) {
            ObjectNode result = object.deepCopy();
            over.properties().forEach(field -> result.set(field.getKey(), merge(object.path(field.getKey()),
                    field.getValue(), part(schema, field.getKey()))));
            return result;
        }
        ArrayNode result = base.deepCopy();
        for (JsonNode entry : over) {
            int at = PathElement.index(result, PathElement.entry(entry, schema), schema);
            if (at < 0) {
                result.add(entry.deepCopy());
            } else {
                result.set(at, merge(result.get(at), entry, schema.entry()));
            }
        }
        return result;
    }

    /**
     * Takes paths out of a value, in place.
     *
     * @param kept paths that others own: what is above them stays
     */
    static void remove(JsonNode value, FieldSet gone, FieldSet kept, Schema schema) {
        gone.children().forEach((element, below) -> {
            FieldSet others = kept.below(element);
            boolean whole = below.isMember() && others.isEmpty();
            switch (value) {
                case ObjectNode object -> field(object, element.substring(2), below, others, whole, schema);
                case ArrayNode list when schema.lists().kind() != ListKind.ATOMIC -> {
                    int at = PathElement.index(list, element, schema);
                    if (at >= 0 && whole) {
                        list.remove(at);
                    } else if (at >= 0) {
                        remove(list.get(at), below, others, schema.entry());
                    }
                }
                default -> { }
            }
        });
    }

    private static void field(ObjectNode object, String name, FieldSet below, FieldSet others, boolean whole,
                              Schema schema) {
        JsonNode value = object.path(name);
        if (whole) {
            object.remove(name);
            return;
        }
        boolean filled = value.isContainerNode() && !value.isEmpty();
        remove(value, below, others, part(schema, name));
        // A container that is left with nothing in it goes with what was in it.
        if (filled && value.isEmpty() && others.isEmpty()) {
            object.remove(name);
        }
    }
}
