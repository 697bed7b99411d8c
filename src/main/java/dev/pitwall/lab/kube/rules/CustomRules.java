package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.kube.object.Texts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Holds custom objects against the {@code openAPIV3Schema} of their definition and fills in its defaults. CEL rules are
 * enforced as far as {@link CelRule} understands them.
 */
public final class CustomRules {

    private CustomRules() {
    }

    /**
     * Fills in the defaults of a schema, in place, and drops a null where the schema has none and no default (Kubernetes: custom
     * resource definitions, "Defaulting and Nullable"); an object that is not there is not made for their sake.
     */
    public static void fill(JsonNode value, JsonNode schema) {
        if (value instanceof ObjectNode object) {
            schema.path("properties").properties().forEach(property -> {
                JsonNode standard = property.getValue().path("default");
                boolean absent = !object.has(property.getKey());
                boolean nulled = object.path(property.getKey()).isNull()
                        && !property.getValue().path("nullable").asBoolean();
                if (!standard.isMissingNode() && (absent || nulled)) {
                    object.set(property.getKey(), standard.deepCopy());
                } else if (nulled) {
                    object.remove(property.getKey());
                }
                if (object.has(property.getKey())) {
                    fill(object.get(property.getKey()), property.getValue());
                }
            });
            if (schema.path("additionalProperties").isObject()) {
                object.properties().forEach(entry -> fill(entry.getValue(), schema.path("additionalProperties")));
            }
        }
        if (value.isArray()) {
            value.forEach(entry -> fill(entry, schema.path("items")));
        }
    }

    /** @param before what is there now; empty for a new object */
    public static List<Problem> check(JsonNode object, Optional<JsonNode> before, JsonNode schema) {
        List<Problem> problems = new ArrayList<>();
        value("", object, schema, problems);
        if (problems.isEmpty()) {
            rules("", object, before, schema, problems);
        }
        return problems;
    }

    private static void value(String path, JsonNode value, JsonNode schema, List<Problem> problems) {
        if (value.isNull() && schema.path("nullable").asBoolean()) {
            return;
        }
        if (!typeFits(path, value, schema, problems)) {
            return;
        }
        enumeration(path, value, schema, problems);
        switch (value.getNodeType()) {
            case STRING -> text(path, value.asText(), schema, problems);
            case NUMBER -> number(path, value, schema, problems);
            case OBJECT -> object(path, value, schema, problems);
            case ARRAY -> list(path, value, schema, problems);
            default -> { }
        }
    }

    private static boolean typeFits(String path, JsonNode value, JsonNode schema, List<Problem> problems) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return value.isTextual() || value.isIntegralNumber()
                    || wrongType(path, value, "integer,string", problems);
        }
        String type = schema.path("type").asText("");
        boolean fits = switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber() || value.isNumber() && value.asDouble() == value.asLong();
            case "number" -> value.isNumber();
            default -> true;
        };
        return fits || wrongType(path, value, type, problems);
    }

    private static boolean wrongType(String path, JsonNode value, String type, List<Problem> problems) {
        String is = switch (value.getNodeType()) {
            case STRING -> "string";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case BOOLEAN -> "boolean";
            case ARRAY -> "array";
            case NULL -> "null";
            default -> "object";
        };
        problems.add(Problem.type(shown(path), Problem.quoted(is), shown(path) + " in body must be of type " + type
                + ": " + Problem.quoted(is)));
        return false;
    }

    private static void enumeration(String path, JsonNode value, JsonNode schema, List<Problem> problems) {
        JsonNode allowed = schema.path("enum");
        if (allowed.isArray() && !contains(allowed, value)) {
            problems.add(Problem.unsupported(path, goValue(value), Texts.list(allowed)));
        }
    }

    private static boolean contains(JsonNode list, JsonNode value) {
        for (JsonNode one : list) {
            if (one.equals(value) || one.isNumber() && value.isNumber() && one.asDouble() == value.asDouble()) {
                return true;
            }
        }
        return false;
    }

    private static void text(String path, String value, JsonNode schema, List<Problem> problems) {
        int length = value.codePointCount(0, value.length());
        if (schema.has("maxLength") && length > schema.path("maxLength").asInt()) {
            problems.add(new Problem("FieldValueTooLong", path, "Too long: may not be more than "
                    + schema.path("maxLength").asInt() + " bytes"));
        }
        if (schema.has("minLength") && length < schema.path("minLength").asInt()) {
            problems.add(Problem.invalid(path, Problem.quoted(value), path + " in body should be at least "
                    + schema.path("minLength").asInt() + " chars long"));
        }
        String pattern = schema.path("pattern").asText("");
        if (!pattern.isEmpty() && !matches(pattern, value)) {
            problems.add(Problem.invalid(path, Problem.quoted(value), path + " in body should match '" + pattern
                    + "'"));
        }
    }

    private static boolean matches(String pattern, String value) {
        try {
            return Pattern.compile(pattern).matcher(value).find();
        } catch (PatternSyntaxException e) {
            // An expression of Go that Java does not know is not enforced.
            return true;
        }
    }

    private static void number(String path, JsonNode value, JsonNode schema, List<Problem> problems) {
        BigDecimal number = value.decimalValue();
        if (schema.has("minimum")) {
            BigDecimal least = schema.path("minimum").decimalValue();
            boolean exclusive = schema.path("exclusiveMinimum").asBoolean();
            if (number.compareTo(least) < (exclusive ? 1 : 0)) {
                problems.add(Problem.invalid(path, value.asText(), path + " in body should be greater than "
                        + (exclusive ? "" : "or equal to ") + least.toPlainString()));
            }
        }
        if (schema.has("maximum")) {
            BigDecimal most = schema.path("maximum").decimalValue();
            boolean exclusive = schema.path("exclusiveMaximum").asBoolean();
            if (number.compareTo(most) > (exclusive ? -1 : 0)) {
                problems.add(Problem.invalid(path, value.asText(), path + " in body should be less than "
                        + (exclusive ? "" : "or equal to ") + most.toPlainString()));
            }
        }
    }

    private static void object(String path, JsonNode value, JsonNode schema, List<Problem> problems) {
        for (JsonNode name : schema.path("required")) {
            if (!value.has(name.asText())) {
                problems.add(Problem.required(below(path, name.asText()), ""));
            }
        }
        value.properties().forEach(field -> {
            JsonNode known = schema.path("properties").path(field.getKey());
            JsonNode part = known.isMissingNode() ? schema.path("additionalProperties") : known;
            boolean meta = path.isEmpty() && field.getKey().equals("metadata");
            if (part.isObject() && !meta) {
                value(below(path, field.getKey()), field.getValue(), part, problems);
            }
        });
    }

    private static void list(String path, JsonNode value, JsonNode schema, List<Problem> problems) {
        if (schema.has("maxItems") && value.size() > schema.path("maxItems").asInt()) {
            problems.add(new Problem("FieldValueTooMany", path, "Too many: " + value.size()
                    + ": must have at most " + schema.path("maxItems").asInt() + " items"));
        }
        if (schema.has("minItems") && value.size() < schema.path("minItems").asInt()) {
            problems.add(Problem.invalid(path, Integer.toString(value.size()), path
                    + " in body should have at least " + schema.path("minItems").asInt() + " items"));
        }
        for (int i = 0; i < value.size(); i++) {
            value(path + "[" + i + "]", value.get(i), schema.path("items"), problems);
        }
    }

    private static void rules(String path, JsonNode value, Optional<JsonNode> before, JsonNode schema,
                              List<Problem> problems) {
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            CelRule.parse(rule.path("rule").asText()).flatMap(parsed -> parsed.holds(value, before))
                    .filter(holds -> !holds).ifPresent(broken -> problems.add(Problem.invalid(
                            below(path, rule.path("fieldPath").asText("").replaceFirst("^\\.", "")), goValue(value),
                            rule.path("message").asText("failed rule: " + rule.path("rule").asText()))));
        }
        if (value.isObject()) {
            value.properties().forEach(field -> {
                JsonNode known = schema.path("properties").path(field.getKey());
                JsonNode part = known.isMissingNode() ? schema.path("additionalProperties") : known;
                if (part.isObject()) {
                    rules(below(path, field.getKey()), field.getValue(), before.map(old -> old.path(field.getKey()))
                            .filter(old -> !old.isMissingNode()), part, problems);
                }
            });
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            rules(path + "[" + i + "]", value.get(i), Optional.empty(), schema.path("items"), problems);
        }
    }

    private static String goValue(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> Problem.quoted(value.asText());
            case OBJECT -> "\"object\"";
            case ARRAY -> "\"array\"";
            default -> value.asText();
        };
    }

    private static String shown(String path) {
        return path.isEmpty() ? "<nil>" : path;
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : name.isEmpty() ? path : path + "." + name;
    }
}
