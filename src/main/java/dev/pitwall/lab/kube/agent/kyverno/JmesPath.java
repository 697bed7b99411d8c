package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The part of JMESPath that policies are written in: fields, quoted fields, {@code [n]}, {@code [*]}, {@code []}, pipes,
 * {@code ||}, literals and a handful of functions. [jmespath.org: specification]
 */
final class JmesPath {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final String text;
    private int at;

    private JmesPath(String text) {
        this.text = text;
    }

    /** @throws NotUnderstood if the expression uses what is not known here */
    static JsonNode evaluate(String expression, JsonNode root) {
        JmesPath path = new JmesPath(expression);
        UnaryOperator<JsonNode> parsed = path.pipe();
        path.space();
        if (path.at < path.text.length()) {
            throw path.stuck();
        }
        return parsed.apply(root);
    }

    private UnaryOperator<JsonNode> pipe() {
        UnaryOperator<JsonNode> left = either();
        while (take("|")) {
            UnaryOperator<JsonNode> first = left;
            UnaryOperator<JsonNode> then = either();
            left = node -> then.apply(first.apply(node));
        }
        return left;
    }

    private UnaryOperator<JsonNode> either() {
        UnaryOperator<JsonNode> left = chain();
        while (take("||")) {
            UnaryOperator<JsonNode> first = left;
            UnaryOperator<JsonNode> otherwise = chain();
            left = node -> isFalse(first.apply(node)) ? otherwise.apply(node) : first.apply(node);
        }
        return left;
    }

    /** A term and the steps behind it; after a projection each element takes the steps. */
    private UnaryOperator<JsonNode> chain() {
        return steps(term(), Inside.NOTHING);
    }

    private enum Inside { NOTHING, PROJECTION }

    private UnaryOperator<JsonNode> steps(UnaryOperator<JsonNode> from, Inside inside) {
        if (take(".")) {
            String name = name();
            return steps(node -> field(from.apply(node), name), inside);
        }
        // A flattening is of what the projection before it has given, not of each of its elements.
        boolean ends = inside == Inside.PROJECTION && text.startsWith("[]", at);
        if (ends || !take("[")) {
            return from;
        }
        if (take("]")) {
            return project(node -> flat(from.apply(node)), inside);
        }
        if (take("*")) {
            expect("]");
            return project(from, inside);
        }
        int index = number();
        expect("]");
        return steps(node -> element(from.apply(node), index), inside);
    }

    private UnaryOperator<JsonNode> project(UnaryOperator<JsonNode> list, Inside inside) {
        UnaryOperator<JsonNode> each = steps(UnaryOperator.identity(), Inside.PROJECTION);
        return steps(node -> {
            JsonNode found = list.apply(node);
            if (!found.isArray()) {
                return NullNode.instance;
            }
            ArrayNode results = NODES.arrayNode();
            found.forEach(element -> {
                JsonNode result = each.apply(element);
                if (!result.isNull()) {
                    results.add(result);
                }
            });
            return results;
        }, inside);
    }

    private UnaryOperator<JsonNode> term() {
        space();
        if (text.startsWith("[", at)) {
            return UnaryOperator.identity();
        }
        if (take("@")) {
            return UnaryOperator.identity();
        }
        if (take("(")) {
            UnaryOperator<JsonNode> inner = pipe();
            expect(")");
            return inner;
        }
        if (take("`")) {
            JsonNode literal = json(until('`'));
            return node -> literal;
        }
        if (take("'")) {
            JsonNode literal = NODES.textNode(until('\''));
            return node -> literal;
        }
        String name = name();
        if (take("(")) {
            return function(name, arguments());
        }
        return node -> field(node, name);
    }

    private List<UnaryOperator<JsonNode>> arguments() {
        List<UnaryOperator<JsonNode>> arguments = new ArrayList<>();
        if (take(")")) {
            return arguments;
        }
        do {
            arguments.add(pipe());
        } while (take(","));
        expect(")");
        return arguments;
    }

    private UnaryOperator<JsonNode> function(String name, List<UnaryOperator<JsonNode>> given) {
        return switch (name + "/" + given.size()) {
            case "length/1" -> node -> length(given.getFirst().apply(node));
            case "keys/1" -> node -> keys(given.getFirst().apply(node));
            case "to_string/1" -> node -> NODES.textNode(text(given.getFirst().apply(node)));
            case "to_number/1" -> node -> NODES.numberNode(Double.parseDouble(text(given.getFirst().apply(node))));
            case "to_upper/1" -> node -> NODES.textNode(text(given.getFirst().apply(node)).toUpperCase());
            case "to_lower/1" -> node -> NODES.textNode(text(given.getFirst().apply(node)).toLowerCase());
            case "contains/2" -> node -> NODES.booleanNode(
                    contains(given.getFirst().apply(node), given.get(1).apply(node)));
            case "starts_with/2" -> node -> NODES.booleanNode(
                    text(given.getFirst().apply(node)).startsWith(text(given.get(1).apply(node))));
            case "ends_with/2" -> node -> NODES.booleanNode(
                    text(given.getFirst().apply(node)).endsWith(text(given.get(1).apply(node))));
            default -> throw new NotUnderstood("the function " + name + " with " + given.size() + " arguments");
        };
    }

    private static JsonNode length(JsonNode node) {
        if (node.isTextual()) {
            return NODES.numberNode(node.asText().length());
        }
        if (!node.isContainerNode()) {
            throw new NotUnderstood("length() of something that has none");
        }
        return NODES.numberNode(node.size());
    }

    private static JsonNode keys(JsonNode node) {
        ArrayNode keys = NODES.arrayNode();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    private static boolean contains(JsonNode in, JsonNode what) {
        if (in.isTextual()) {
            return in.asText().contains(what.asText());
        }
        for (JsonNode element : in) {
            if (element.equals(what)) {
                return true;
            }
        }
        return false;
    }

    static String text(JsonNode node) {
        return node.isValueNode() ? node.asText() : node.toString();
    }

    private static boolean isFalse(JsonNode node) {
        return node.isNull() || node.isBoolean() && !node.asBoolean() || node.isTextual() && node.asText().isEmpty()
                || node.isContainerNode() && node.isEmpty();
    }

    private static JsonNode field(JsonNode node, String name) {
        JsonNode found = node.path(name);
        return found.isMissingNode() ? NullNode.instance : found;
    }

    private static JsonNode element(JsonNode node, int index) {
        JsonNode found = node.path(index < 0 ? node.size() + index : index);
        return found.isMissingNode() ? NullNode.instance : found;
    }

    private static JsonNode flat(JsonNode list) {
        if (!list.isArray()) {
            return NullNode.instance;
        }
        ArrayNode flat = NODES.arrayNode();
        for (JsonNode element : list) {
            if (element.isArray()) {
                element.forEach(flat::add);
            } else {
                flat.add(element);
            }
        }
        return flat;
    }

    private String name() {
        space();
        if (take("\"")) {
            return until('"');
        }
        int from = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        if (from == at) {
            throw stuck();
        }
        return text.substring(from, at);
    }

    private int number() {
        space();
        int from = at;
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '-')) {
            at++;
        }
        if (from == at) {
            throw stuck();
        }
        return Integer.parseInt(text.substring(from, at));
    }

    private String until(char end) {
        int to = text.indexOf(end, at);
        if (to < 0) {
            throw stuck();
        }
        String found = text.substring(at, to);
        at = to + 1;
        return found;
    }

    private static JsonNode json(String literal) {
        try {
            return new ObjectMapper().readTree(literal);
        } catch (IOException e) {
            throw new NotUnderstood("the literal `" + literal + "`");
        }
    }

    /** Takes a token if it is next; one bar is no "or". */
    private boolean take(String token) {
        space();
        boolean next = text.startsWith(token, at) && !(token.equals("|") && text.startsWith("||", at));
        if (next) {
            at += token.length();
        }
        return next;
    }

    private void expect(String token) {
        if (!take(token)) {
            throw stuck();
        }
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private NotUnderstood stuck() {
        return new NotUnderstood("the expression " + text + " from character " + (at + 1) + " on");
    }
}
