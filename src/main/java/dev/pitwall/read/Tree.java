package dev.pitwall.read;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.yaml.snakeyaml.error.YAMLException;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Documents read as far as they go. Half a document gives the half that is there; a number at the very end is left out,
 * since more digits may have followed.
 *
 * @param roots the documents, in order
 * @param open  objects and arrays that were not finished, by identity
 * @param cut   a sentence on where and why reading stopped; empty if all was read
 */
record Tree(List<JsonNode> roots, Set<JsonNode> open, Optional<String> cut) {

    /** A version such as 580.10, written without quotes, keeps its zero. */
    private static final JsonNodeFactory NODES = JsonNodeFactory.withExactBigDecimals(true);

    /** Large parts of Kubernetes objects that no reader looks at. */
    private static final Set<String> BALLAST = Set.of("env", "envFrom", "volumeMounts", "volumes", "images", "annotations");

    Tree {
        roots = List.copyOf(roots);
    }

    /** True if the text stops inside this object or array. */
    boolean isOpen(JsonNode node) {
        return open.contains(node);
    }

    /** Reads every document the parser gives. The parser is closed. */
    static Tree read(JsonParser parser) {
        Builder builder = new Builder();
        try (parser) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                builder.token(parser, token);
            }
            return builder.tree(Optional.empty());
        } catch (IOException | YAMLException e) {
            return builder.tree(Optional.of(sentence(parser, e)));
        }
    }

    private static String sentence(JsonParser parser, Exception e) {
        JsonLocation at = e instanceof JsonProcessingException p && p.getLocation() != null
                ? p.getLocation() : parser.currentLocation();
        String inside = parser.getParsingContext().pathAsPointer().toString();
        String place = "line " + at.getLineNr() + ", column " + at.getColumnNr();
        String where = inside.isEmpty() ? "" : " (in " + inside + ")";
        return e instanceof JsonEOFException
                ? place + ": the text is cut here" + where + "; what came before was read"
                : place + ": it breaks here" + where + "; what came before was read";
    }

    /** The same tree whose text is known to stop early: what is last on every level may be unfinished. */
    Tree stopsEarly(String sentence) {
        Set<JsonNode> last = Collections.newSetFromMap(new IdentityHashMap<>());
        last.addAll(open);
        JsonNode node = roots.isEmpty() ? null : roots.getLast();
        while (node != null && node.isContainerNode()) {
            last.add(node);
            JsonNode next = null;
            for (JsonNode child : node) {
                next = child;
            }
            node = next;
        }
        return new Tree(roots, last, cut.or(() -> Optional.of(sentence)));
    }

    private static final class Builder {
        private final List<JsonNode> roots = new ArrayList<>();
        private final Deque<JsonNode> stack = new ArrayDeque<>();
        private final Deque<String> keys = new ArrayDeque<>();
        private Optional<JsonNode> held = Optional.empty();
        private int skipping;

        void token(JsonParser parser, JsonToken token) throws IOException {
            release();
            if (skipping > 0) {
                skipping += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                return;
            }
            switch (token) {
                case START_OBJECT, START_ARRAY -> start(token == JsonToken.START_OBJECT ? NODES.objectNode() : NODES.arrayNode());
                case END_OBJECT, END_ARRAY -> end();
                case FIELD_NAME -> {
                    keys.pop();
                    keys.push(parser.currentName());
                }
                case VALUE_STRING -> add(NODES.textNode(parser.getText()));
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> held = Optional.of(number(parser));
                case VALUE_TRUE, VALUE_FALSE -> add(NODES.booleanNode(token == JsonToken.VALUE_TRUE));
                default -> add(NODES.nullNode());
            }
        }

        private static JsonNode number(JsonParser parser) throws IOException {
            return switch (parser.getNumberType()) {
                case INT, LONG -> NODES.numberNode(parser.getLongValue());
                case BIG_INTEGER -> NODES.numberNode(parser.getBigIntegerValue());
                default -> decimal(parser);
            };
        }

        /** A number is taken once the next token shows that it is whole. */
        private void release() {
            held.ifPresent(this::add);
            held = Optional.empty();
        }

        private void start(JsonNode container) {
            if (!stack.isEmpty() && stack.peek().isObject() && isBallast(keys.peek())) {
                skipping = 1;
                return;
            }
            add(container);
            stack.push(container);
            keys.push("");
        }

        /** By far the largest parts of "kubectl -o json", and nothing in them is of use. */
        private boolean isBallast(String key) {
            return key.equals("managedFields") || (BALLAST.contains(key) && roots.getLast().has("apiVersion"));
        }

        private void end() {
            stack.pop();
            keys.pop();
        }

        private void add(JsonNode node) {
            switch (stack.peek()) {
                case null -> roots.add(node);
                case ObjectNode object -> object.set(keys.peek(), node);
                case ArrayNode array -> array.add(node);
                default -> throw new IllegalStateException("only objects and arrays are on the stack");
            }
        }

        Tree tree(Optional<String> cut) {
            if (cut.isEmpty()) {
                release();
            }
            Set<JsonNode> open = Collections.newSetFromMap(new IdentityHashMap<>());
            open.addAll(stack);
            return new Tree(roots, open, cut);
        }
    }

    /** No output holds a number with an exponent of ten digits; damage does, and it is kept as the text it is. */
    private static JsonNode decimal(JsonParser parser) throws IOException {
        try {
            return NODES.numberNode(parser.getDecimalValue());
        } catch (NumberFormatException e) {
            return NODES.textNode(parser.getText());
        }
    }
}
