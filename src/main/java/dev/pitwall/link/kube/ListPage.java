package dev.pitwall.link.kube;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * One page of a list, read item by item, so that never more than one whole object is in memory.
 *
 * @param version the list's resource version, where a watch goes on
 * @param next    token of the next page; empty on the last one
 */
record ListPage(String version, String next) {
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * @param items gets every item in order
     * @throws IOException also if the text ends early or is not a list: nothing may be concluded from the items then
     */
    static ListPage read(InputStream body, Consumer<JsonNode> items) throws IOException {
        JsonNode metadata = MissingNode.getInstance();
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new NotAList();
            }
            for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
                if (token == null) {
                    throw new JsonEOFException(parser, null, "cut");
                }
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "metadata" -> metadata = SlimTree.read(parser);
                    case "items" -> items(parser, items);
                    default -> parser.skipChildren();
                }
            }
        }
        String version = metadata.path("resourceVersion").asText("");
        if (version.isEmpty()) {
            throw new NotAList();
        }
        return new ListPage(version, metadata.path("continue").asText(""));
    }

    private static void items(JsonParser parser, Consumer<JsonNode> items) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return;
        }
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.accept(SlimTree.read(parser));
        }
    }

    /** The answer is JSON, but not a Kubernetes list. */
    static final class NotAList extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
