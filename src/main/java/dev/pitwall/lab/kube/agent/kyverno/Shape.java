package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code validate.pattern}: texts with wildcards, {@code |} and {@code &}, {@code !} and comparisons, and the anchors
 * {@code (key)}, {@code =(key)}, {@code X(key)} and {@code ^(key)}. [kyverno.io: Validate rules]
 */
final class Shape {
    private static final Pattern ANCHOR = Pattern.compile("([+<^=X]?)\\((.+)\\)");
    private static final Pattern COMPARISON = Pattern.compile("\\s*(>=|<=|>|<|!)\\s*(.+?)\\s*");

    private Shape() {
    }

    static boolean fits(JsonNode value, JsonNode pattern) {
        return misfit(value, pattern, "").isEmpty();
    }

    /** @return where the object does not have the shape, such as {@code /spec/containers/0/image/}; empty if it has */
    static Optional<String> misfit(JsonNode value, JsonNode pattern, String path) {
        if (pattern.isObject()) {
            return object(value, pattern, path);
        }
        if (pattern.isArray()) {
            return list(value, pattern, path);
        }
        boolean fits = pattern.isTextual() ? text(value, pattern.asText())
                : pattern.isNull() ? isEmpty(value) : value.asText().equals(pattern.asText());
        return fits ? Optional.empty() : Optional.of(path + "/");
    }

    private static Optional<String> object(JsonNode value, JsonNode pattern, String path) {
        for (Map.Entry<String, JsonNode> field : pattern.properties()) {
            Matcher anchor = ANCHOR.matcher(field.getKey());
            if (anchor.matches() && anchor.group(1).isEmpty()
                    && !fits(value.path(anchor.group(2)), field.getValue())) {
                // The condition does not hold, so nothing is asked of this object.
                return Optional.empty();
            }
        }
        for (Map.Entry<String, JsonNode> field : pattern.properties()) {
            Optional<String> misfit = field(value, field, path);
            if (misfit.isPresent()) {
                return misfit;
            }
        }
        return value.isObject() || pattern.isEmpty() || onlyConditions(pattern) ? Optional.empty()
                : Optional.of(path + "/");
    }

    private static boolean onlyConditions(JsonNode pattern) {
        return pattern.properties().stream().allMatch(field -> ANCHOR.matcher(field.getKey()).matches());
    }

    private static Optional<String> field(JsonNode value, Map.Entry<String, JsonNode> field, String path) {
        Matcher anchor = ANCHOR.matcher(field.getKey());
        if (!anchor.matches()) {
            return misfit(value.path(field.getKey()), field.getValue(), path + "/" + field.getKey());
        }
        String name = anchor.group(2);
        String below = path + "/" + name;
        return switch (anchor.group(1)) {
            case "" -> Optional.empty();
            case "=" -> value.has(name) ? misfit(value.path(name), field.getValue(), below) : Optional.empty();
            case "X" -> value.has(name) ? Optional.of(below + "/") : Optional.empty();
            case "^" -> any(value.path(name), field.getValue().path(0)) ? Optional.empty() : Optional.of(below + "/");
            default -> throw new NotUnderstood("the anchor " + field.getKey() + " in a pattern");
        };
    }

    private static boolean any(JsonNode list, JsonNode pattern) {
        for (JsonNode element : list) {
            if (fits(element, pattern)) {
                return true;
            }
        }
        return false;
    }

    /** Each element must have the shape of the first; an empty list in the pattern asks for nothing. */
    private static Optional<String> list(JsonNode value, JsonNode pattern, String path) {
        if (!value.isArray()) {
            return Optional.of(path + "/");
        }
        for (int i = 0; i < value.size() && !pattern.isEmpty(); i++) {
            Optional<String> misfit = misfit(value.get(i), pattern.get(0), path + "/" + i);
            if (misfit.isPresent()) {
                return misfit;
            }
        }
        return Optional.empty();
    }

    private static boolean text(JsonNode value, String pattern) {
        return Arrays.stream(pattern.split("\\|")).anyMatch(either -> Arrays.stream(either.split("&"))
                .allMatch(part -> one(value, part.strip())));
    }

    private static boolean one(JsonNode value, String pattern) {
        Matcher comparison = COMPARISON.matcher(pattern);
        if (!comparison.matches()) {
            return !value.isMissingNode() && !value.isNull() && !value.isContainerNode()
                    && (Terms.fits(value.asText(), pattern) || equal(value.asText(), pattern));
        }
        String than = comparison.group(2);
        if (comparison.group(1).equals("!")) {
            return !Terms.fits(value.asText(), than);
        }
        if (isEmpty(value)) {
            return false;
        }
        int order = Terms.quantity(value.asText()).compareTo(Terms.quantity(than));
        return switch (comparison.group(1)) {
            case ">=" -> order >= 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order < 0;
        };
    }

    private static boolean equal(String value, String pattern) {
        try {
            BigDecimal number = Terms.quantity(value);
            return number.compareTo(Terms.quantity(pattern)) == 0;
        } catch (NotUnderstood noNumbers) {
            return false;
        }
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isMissingNode() || value.isNull() || value.isTextual() && value.asText().isEmpty();
    }
}
