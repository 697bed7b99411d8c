package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The keys of a GGUF file, read with the architecture's prefix or without. */
public final class Metadata {

    /** What stands under a key. */
    public sealed interface Value {
    }

    /** Also of true (1) and false (0), and of fractions: shared_kv_layers is a float in some files. */
    public record Number(double value) implements Value {
    }

    public record Text(String value) implements Value {
    }

    /** An array of numbers or booleans. */
    public record Numbers(List<Double> values) implements Value {
        public Numbers {
            values = List.copyOf(values);
        }
    }

    /** An array that was too long to keep, or of texts. */
    public record Length(long entries) implements Value {
    }

    /** The key is there, its value was left out: what /api/show does to arrays without {@code verbose}. */
    public record Hidden() implements Value {
    }

    private final Map<String, Value> values;
    private final String architecture;

    public Metadata(Map<String, Value> values) {
        this.values = Map.copyOf(values);
        this.architecture = text("general.architecture").orElse("");
    }

    /** As the file names it; empty if it does not. */
    public String architecture() {
        return architecture;
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public Optional<String> text(String key) {
        return Optional.ofNullable(values.get(key)).flatMap(v -> v instanceof Text(String t) ? Optional.of(t) : Optional.empty());
    }

    /** A number under the full key. */
    public OptionalLong number(String key) {
        OptionalDouble found = decimal(key);
        return found.isPresent() ? OptionalLong.of(Math.round(found.getAsDouble())) : OptionalLong.empty();
    }

    private OptionalDouble decimal(String key) {
        return switch (values.get(key)) {
            case Number(double value) -> OptionalDouble.of(value);
            case Numbers(List<Double> list) when list.size() == 1 -> OptionalDouble.of(list.getFirst());
            case null, default -> OptionalDouble.empty();
        };
    }

    /** A number of the architecture, for example {@code block_count}. */
    public OptionalLong own(String key) {
        return number(architecture + "." + key);
    }

    /** As {@link #own}, with what llama.cpp takes where the key is absent. */
    public long own(String key, long otherwise) {
        return own(key).orElse(otherwise);
    }

    /** The value under a key of the architecture. */
    public Optional<Value> ownValue(String key) {
        return Optional.ofNullable(values.get(architecture + "." + key));
    }

    public boolean has(String ownKey) {
        return values.containsKey(architecture + "." + ownKey);
    }

    public boolean hidden(String ownKey) {
        return values.get(architecture + "." + ownKey) instanceof Hidden;
    }

    /** True if any key of the architecture begins so, for example {@code vision.}. */
    public boolean hasAny(String ownPrefix) {
        return values.keySet().stream().anyMatch(k -> k.startsWith(architecture + "." + ownPrefix));
    }

    /** Entries of an array, for example of {@code tokenizer.ggml.tokens}. */
    public OptionalLong length(String key) {
        return switch (values.get(key)) {
            case Length(long entries) when entries > 0 -> OptionalLong.of(entries);
            case Numbers(List<Double> list) when !list.isEmpty() -> OptionalLong.of(list.size());
            case null, default -> OptionalLong.empty();
        };
    }
}
