package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;

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
        return read(bytes(object));
    }

    /** A record or map as a tree. */
    public static ObjectNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }
}
