package dev.pitwall.lab.kube.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The shape of one value. Children are asked for when they are needed, so that a type may contain itself.
 *
 * @param scalar    type of a scalar: {@code string}, {@code bool}, {@code int32}, {@code int64}, {@code double}, {@code bytes},
 *                  {@code quantity}, {@code time}, {@code microtime}, {@code duration} or {@code intstr}
 * @param fields    of an object, in their usual order
 * @param element   of a list or a map
 * @param atomic    field ownership takes the value as a whole
 * @param lists     how field ownership takes a list
 * @param strategy  what a strategic merge patch does with it
 * @param open      an object that may hold fields which are not listed
 * @param required  the object around it is not complete without it
 * @param typeName  for example {@code core/v1.PodSpec}; empty for a part of a custom resource
 */
public record Schema(Shape shape, String scalar, Supplier<Map<String, Schema>> fields, Supplier<Schema> element,
                     boolean atomic, Lists lists, Strategy strategy, boolean open, boolean required,
                     String typeName) {

    /** What a value is. */
    public enum Shape { OBJECT, MAP, LIST, SCALAR, ANY }

    /** How a list is owned: as a whole, value by value, or entry by entry. */
    public enum ListKind { ATOMIC, SET, MAP }

    /** @param keys fields that tell the entries of a list apart; empty unless it is a {@code MAP} */
    public record Lists(ListKind kind, List<String> keys) {
        static final Lists ATOMIC = new Lists(ListKind.ATOMIC, List.of());
    }

    /**
     * @param merges     a list is joined instead of replaced
     * @param key        the field it is joined by; empty for a list of plain values
     * @param retainKeys a patch may name the fields that stay ({@code $retainKeys})
     */
    public record Strategy(boolean merges, String key, boolean retainKeys) {
        static final Strategy NONE = new Strategy(false, "", false);
    }

    /** Anything at all. */
    public static final Schema ANY = of(Shape.ANY, "", Map::of, () -> null);

    static Schema of(Shape shape, String scalar, Supplier<Map<String, Schema>> fields, Supplier<Schema> element) {
        return new Schema(shape, scalar, fields, element, false, Lists.ATOMIC, Strategy.NONE, false, false, "");
    }

    static Schema scalar(String type) {
        return of(Shape.SCALAR, type, Map::of, () -> ANY);
    }

    Schema asAtomic(boolean value) {
        return new Schema(shape, scalar, fields, element, value, lists, strategy, open, required, typeName);
    }

    Schema with(Lists how) {
        return new Schema(shape, scalar, fields, element, atomic, how, strategy, open, required, typeName);
    }

    Schema with(Strategy how) {
        return new Schema(shape, scalar, fields, element, atomic, lists, how, open, required, typeName);
    }

    Schema asOpen(boolean value) {
        return new Schema(shape, scalar, fields, element, atomic, lists, strategy, value, required, typeName);
    }

    Schema asRequired(boolean value) {
        return new Schema(shape, scalar, fields, element, atomic, lists, strategy, open, value, typeName);
    }

    Schema named(String name) {
        return new Schema(shape, scalar, fields, element, atomic, lists, strategy, open, required, name);
    }

    /** The shape of one field of an object or map; empty if such a field is not known. */
    public Optional<Schema> field(String name) {
        return switch (shape) {
            case OBJECT -> {
                Schema known = fields.get().get(name);
                yield known != null ? Optional.of(known) : open ? Optional.of(ANY) : Optional.empty();
            }
            case MAP -> Optional.of(element.get());
            case ANY -> Optional.of(ANY);
            case LIST, SCALAR -> Optional.empty();
        };
    }

    /** The shape of a list's entries; anything if it is no list. */
    public Schema entry() {
        return shape == Shape.LIST ? element.get() : ANY;
    }
}
