package dev.pitwall.journey;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the person chose, by the keys of the steps' questions, for example {@code vm=122}. What is not chosen is left to
 * the step.
 */
public record Choices(SortedMap<String, String> values) {

    public static final Choices NONE = new Choices(new TreeMap<>());

    public Choices {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    public static Choices of(Map<String, String> values) {
        return new Choices(new TreeMap<>(values));
    }

    public Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** Empty also where the value is no number from 0 to 999999999. */
    public OptionalInt number(String key) {
        return get(key).filter(v -> v.matches("\\d{1,9}")).map(v -> OptionalInt.of(Integer.parseInt(v)))
                .orElse(OptionalInt.empty());
    }

    /** These choices with one more, or another value of one. */
    public Choices with(String key, String value) {
        SortedMap<String, String> more = new TreeMap<>(values);
        more.put(key, value);
        return new Choices(more);
    }
}
