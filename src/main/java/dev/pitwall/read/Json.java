package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;

/** Takes values out of a tree; what is missing or of another type is empty. */
final class Json {

    private Json() {
    }

    /** A text, or a number or flag as text; empty text counts as missing. */
    static Optional<String> text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isValueNode() && !value.isNull() ? Optional.of(value.asText()).filter(t -> !t.isEmpty())
                : Optional.empty();
    }

    static OptionalLong number(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isIntegralNumber() && value.canConvertToLong() ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
    }

    /** A number of bytes or things; one below zero says nothing and is empty. */
    static OptionalLong count(JsonNode node, String field) {
        OptionalLong number = number(node, field);
        return number.isPresent() && number.getAsLong() >= 0 ? number : OptionalLong.empty();
    }

    static OptionalInt integer(JsonNode node, String field) {
        return Numbers.narrow(number(node, field));
    }

    static Optional<Boolean> flag(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isBoolean() ? Optional.of(value.asBoolean()) : Optional.empty();
    }

    /** RFC 3339, with any offset. */
    static Optional<Instant> instant(JsonNode node, String field) {
        return text(node, field).flatMap(t -> {
            try {
                return Optional.of(OffsetDateTime.parse(t).toInstant());
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        });
    }

    /** Members whose value is a text, number or flag; empty if the field is not there. */
    static Optional<Map<String, String>> map(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isObject()) {
            return Optional.empty();
        }
        Map<String, String> map = new LinkedHashMap<>();
        value.properties().stream().filter(e -> e.getValue().isValueNode() && !e.getValue().isNull())
                .forEach(e -> map.put(e.getKey(), e.getValue().asText()));
        return Optional.of(map);
    }

    static List<String> texts(JsonNode node, String field) {
        return list(node.path(field)).stream().filter(JsonNode::isValueNode).map(JsonNode::asText).toList();
    }

    static List<JsonNode> list(JsonNode array) {
        return array.isArray() ? StreamSupport.stream(array.spliterator(), false).toList() : List.of();
    }
}
