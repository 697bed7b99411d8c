package dev.pitwall.read;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** Builds one JSON object. An absent value is written as {@code null}, never left out and never 0. */
final class Out {

    private final ObjectNode node = JsonNodeFactory.instance.objectNode();

    Out text(String field, String value) {
        node.put(field, value);
        return this;
    }

    Out text(String field, Optional<?> value) {
        node.put(field, value.map(Object::toString).orElse(null));
        return this;
    }

    Out number(String field, OptionalInt value) {
        return value.isPresent() ? number(field, (long) value.getAsInt()) : absent(field);
    }

    Out number(String field, OptionalLong value) {
        return value.isPresent() ? number(field, value.getAsLong()) : absent(field);
    }

    Out number(String field, long value) {
        node.put(field, value);
        return this;
    }

    Out decimal(String field, OptionalDouble value) {
        return value.isPresent() ? decimal(field, value.getAsDouble()) : absent(field);
    }

    /** A whole number is written without a fraction; what JSON cannot hold (NaN, infinity) as {@code null}. */
    Out decimal(String field, double value) {
        if (!Double.isFinite(value)) {
            return absent(field);
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return number(field, (long) value);
        }
        node.put(field, value);
        return this;
    }

    Out flag(String field, boolean value) {
        node.put(field, value);
        return this;
    }

    Out flag(String field, Optional<Boolean> value) {
        node.put(field, value.orElse(null));
        return this;
    }

    Out object(String field, Out value) {
        node.set(field, value.node());
        return this;
    }

    Out texts(String field, Collection<String> values) {
        ArrayNode array = node.putArray(field);
        values.forEach(array::add);
        return this;
    }

    /** An empty list is written as {@code null}: the source printed none. */
    Out textsIfAny(String field, Collection<String> values) {
        return values.isEmpty() ? absent(field) : texts(field, values);
    }

    <T> Out list(String field, Collection<T> values, Function<T, Out> each) {
        ArrayNode array = node.putArray(field);
        values.forEach(v -> array.add(each.apply(v).node()));
        return this;
    }

    <T> Out list(String field, Optional<? extends Collection<T>> values, Function<T, Out> each) {
        return values.isPresent() ? list(field, values.get(), each) : absent(field);
    }

    Out map(String field, Optional<Map<String, String>> values) {
        if (values.isEmpty()) {
            return absent(field);
        }
        ObjectNode object = node.putObject(field);
        values.get().forEach(object::put);
        return this;
    }

    /** Amounts: a plain number as a number, anything with a unit as text. */
    Out amounts(String field, Optional<Map<String, String>> values) {
        if (values.isEmpty()) {
            return absent(field);
        }
        ObjectNode object = node.putObject(field);
        values.get().forEach((name, amount) -> {
            OptionalLong plain = Numbers.whole(amount);
            if (plain.isPresent()) {
                object.put(name, plain.getAsLong());
            } else {
                object.put(name, amount);
            }
        });
        return this;
    }

    Out absent(String field) {
        node.putNull(field);
        return this;
    }

    ObjectNode node() {
        return node;
    }
}
