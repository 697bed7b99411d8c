package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Quantities;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Conditions with a key, an operator and a value, as preconditions and {@code deny} have them. */
final class Terms {
    private Terms() {
    }

    /** True if they hold: one of {@code any} and all of {@code all}, or all of a plain list; none at all holds. */
    static boolean hold(JsonNode conditions, Variables variables) {
        if (conditions.isArray()) {
            return stream(conditions).allMatch(condition -> holds(condition, variables));
        }
        boolean any = !conditions.has("any")
                || stream(conditions.path("any")).anyMatch(condition -> holds(condition, variables));
        return any && stream(conditions.path("all")).allMatch(condition -> holds(condition, variables));
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static boolean holds(JsonNode condition, Variables variables) {
        JsonNode key = variables.fill(condition.path("key"));
        JsonNode value = variables.fill(condition.path("value"));
        String operator = condition.path("operator").asText();
        return switch (operator.toLowerCase(Locale.ROOT)) {
            case "equals", "equal" -> same(key, value);
            case "notequals", "notequal" -> !same(key, value);
            case "in", "allin" -> list(key).stream().allMatch(one -> isOneOf(one, value));
            case "anyin" -> list(key).stream().anyMatch(one -> isOneOf(one, value));
            case "notin", "allnotin" -> list(key).stream().noneMatch(one -> isOneOf(one, value));
            case "anynotin" -> list(key).stream().anyMatch(one -> !isOneOf(one, value));
            case "greaterthan" -> compare(key, value) > 0;
            case "greaterthanorequals" -> compare(key, value) >= 0;
            case "lessthan" -> compare(key, value) < 0;
            case "lessthanorequals" -> compare(key, value) <= 0;
            default -> throw new NotUnderstood("the operator " + operator);
        };
    }

    private static boolean same(JsonNode key, JsonNode value) {
        if (key.isContainerNode() || value.isContainerNode()) {
            return key.equals(value);
        }
        return fits(key.asText(), value.asText()) || number(key) && number(value) && compare(key, value) == 0;
    }

    private static boolean isOneOf(String key, JsonNode value) {
        return list(value).stream().anyMatch(one -> fits(key, one));
    }

    /** With {@code *} for anything and {@code ?} for one character. */
    static boolean fits(String text, String wildcard) {
        StringBuilder pattern = new StringBuilder();
        for (char c : wildcard.toCharArray()) {
            pattern.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(text).matches();
    }

    private static List<String> list(JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(element -> texts.add(JmesPath.text(element)));
        } else if (!node.isNull() && !node.isMissingNode()) {
            texts.add(JmesPath.text(node));
        }
        return texts;
    }

    private static boolean number(JsonNode node) {
        try {
            quantity(node.asText());
            return true;
        } catch (NotUnderstood none) {
            return false;
        }
    }

    private static int compare(JsonNode key, JsonNode value) {
        return quantity(key.asText()).compareTo(quantity(value.asText()));
    }

    /** A number or a Kubernetes quantity. */
    static BigDecimal quantity(String text) {
        return Quantities.parse(text).orElseThrow(() -> new NotUnderstood("a comparison with \"" + text + "\""));
    }
}
