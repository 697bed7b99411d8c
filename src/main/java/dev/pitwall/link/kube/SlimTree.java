package dev.pitwall.link.kube;

import java.io.IOException;
import java.util.Set;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reads one Kubernetes object as a tree, leaving out what is large and never looked at: over half of a pod, and most
 * of a node. Only lists and mappings are left out, so a label that happens to be called {@code env} stays.
 */
final class SlimTree {
    private static final Set<String> BALLAST = Set.of("managedFields", "annotations", "env", "envFrom", "volumes",
            "volumeMounts", "volumeDevices", "volumesAttached", "volumesInUse", "images", "command", "args",
            "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "projected", "tolerations",
            "topologySpreadConstraints", "podAffinity", "podAntiAffinity", "imagePullSecrets", "hostAliases");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private SlimTree() {
    }

    /** Reads the value the parser stands at, and leaves the parser at its last token. */
    static JsonNode read(JsonParser parser) throws IOException {
        return value(parser, parser.currentToken());
    }

    private static JsonNode value(JsonParser parser, JsonToken token) throws IOException {
        if (token == null) {
            throw new JsonEOFException(parser, null, "cut");
        }
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT -> NODES.numberNode(parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            default -> NODES.nullNode();
        };
    }

    private static ObjectNode object(JsonParser parser) throws IOException {
        ObjectNode object = NODES.objectNode();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            if (token == null) {
                throw new JsonEOFException(parser, null, "cut");
            }
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value != null && value.isStructStart() && BALLAST.contains(name)) {
                parser.skipChildren();
            } else {
                object.set(name, value(parser, value));
            }
        }
        return object;
    }

    private static ArrayNode array(JsonParser parser) throws IOException {
        ArrayNode array = NODES.arrayNode();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            array.add(value(parser, token));
        }
        return array;
    }
}
