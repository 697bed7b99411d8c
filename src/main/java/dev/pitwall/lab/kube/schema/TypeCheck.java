package dev.pitwall.lab.kube.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Holds the values of a built-in object against the types of its fields, as Go's JSON decoder does. */
public final class TypeCheck {
    private static final Map<String, String> GO = Map.of("double", "float64", "bytes", "[]uint8", "time", "v1.Time",
            "microtime", "v1.MicroTime");

    private static final Pattern QUANTITY = Pattern.compile("^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$");
    private static final Pattern SUFFIX = Pattern.compile("|[numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]+");

    private TypeCheck() {
    }

    /**
     * Fails on the first value of a wrong type and takes out fields that are {@code null}.
     *
     * @return the decoder's text, for example {@code json: cannot unmarshal string into Go struct field
     *         DeploymentSpec.spec.replicas of type int32}
     */
    public static Optional<String> problem(ObjectNode object, Schema schema) {
        return check(object, schema, "", "");
    }

    private static Optional<String> check(JsonNode value, Schema schema, String path, String owner) {
        return switch (schema.shape()) {
            case OBJECT, MAP -> value instanceof ObjectNode object ? fields(object, schema, path, owner)
                    : wrong(value, path, owner, schema.shape() == Schema.Shape.MAP ? "map[string]" + element(schema)
                    : "v1." + shortName(schema));
            case LIST -> {
                if (!value.isArray()) {
                    yield wrong(value, path, owner, "[]" + element(schema));
                }
                for (JsonNode entry : value) {
                    Optional<String> problem = check(entry, schema.entry(), path, owner);
                    if (problem.isPresent()) {
                        yield problem;
                    }
                }
                yield Optional.empty();
            }
            case SCALAR -> schema.scalar().equals("quantity") ? quantity(value)
                    : fits(value, schema.scalar()) ? Optional.empty()
                    : wrong(value, path, owner, GO.getOrDefault(schema.scalar(), schema.scalar()));
            case ANY -> Optional.empty();
        };
    }

    private static Optional<String> fields(ObjectNode object, Schema schema, String path, String owner) {
        // A null is the same as nothing, but in a map, where it is a key with an empty value.
        object.properties().removeIf(field -> field.getValue().isNull());
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Optional<Schema> known = schema.field(field.getKey());
            if (known.isPresent()) {
                boolean struct = schema.shape() == Schema.Shape.OBJECT;
                String below = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                Optional<String> problem = check(field.getValue(), known.get(), struct ? below : path,
                        struct ? shortName(schema) : owner);
                if (problem.isPresent()) {
                    return problem;
                }
            }
        }
        return Optional.empty();
    }

    private static boolean fits(JsonNode value, String type) {
        return switch (type) {
            case "string", "bytes", "time", "microtime", "duration" -> value.isTextual();
            case "bool" -> value.isBoolean();
            case "int32" -> value.isIntegralNumber() && value.canConvertToInt();
            case "int64", "byte" -> value.isIntegralNumber() && value.canConvertToLong();
            case "double" -> value.isNumber();
            case "intstr" -> value.isTextual() || value.isIntegralNumber();
            default -> true;
        };
    }

    /** A quantity decodes itself, and says no more than that. [apimachinery: pkg/api/resource, ParseQuantity] */
    private static Optional<String> quantity(JsonNode value) {
        Matcher form = QUANTITY.matcher(value.isTextual() || value.isNumber() ? value.asText() : "");
        return !form.matches() ? Optional.of("quantities must match the regular expression '" + QUANTITY + "'")
                : SUFFIX.matcher(form.group(2)).matches() ? Optional.empty()
                : Optional.of("unable to parse quantity's suffix");
    }

    private static Optional<String> wrong(JsonNode value, String path, String owner, String type) {
        return Optional.of("json: cannot unmarshal " + name(value) + " into Go struct field " + owner + "." + path
                + " of type " + type);
    }

    private static String name(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> "number" + (value.isIntegralNumber() ? "" : " " + value.asText());
            case ARRAY -> "array";
            default -> "object";
        };
    }

    private static String element(Schema schema) {
        Schema element = schema.element().get();
        return element.shape() == Schema.Shape.SCALAR ? GO.getOrDefault(element.scalar(), element.scalar())
                : "v1." + shortName(element);
    }

    private static String shortName(Schema schema) {
        return schema.typeName().substring(schema.typeName().lastIndexOf('.') + 1);
    }
}
