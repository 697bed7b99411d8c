package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** JSON text to trees and back, in one place. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Reads JSON this lab wrote itself. */
    public static ObjectNode read(byte[] json) {
        try {
            return (ObjectNode) MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads JSON that somebody sent.
     *
     * @throws IOException if it is not JSON
     */
    public static JsonNode parse(byte[] json) throws IOException {
        return MAPPER.readTree(json);
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A copy as it would be read back: an int and a long of one value are equal in it. */
    public static ObjectNode copy(ObjectNode object) {
        ObjectNode copy = object();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            copy.set(field.getKey(), copy(field.getValue()));
        }
        return copy;
    }

    private static JsonNode copy(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> copy(object);
            case ArrayNode list -> {
                ArrayNode copy = MAPPER.createArrayNode();
                list.forEach(element -> copy.add(copy(element)));
                yield copy;
            }
            case TextNode text -> text;
            case BooleanNode flag -> flag;
            case IntNode number -> number;
            case LongNode number -> number(number.longValue());
            case NullNode nothing -> nothing;
            default -> readBack(value);
        };
    }

    /** A number as it is when it is read. */
    static NumericNode number(long value) {
        return (int) value == value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
    }

    private static JsonNode readBack(JsonNode value) {
        try {
            return MAPPER.readTree(MAPPER.writeValueAsBytes(value));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A record or map as a tree. */
    public static ObjectNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }
}
