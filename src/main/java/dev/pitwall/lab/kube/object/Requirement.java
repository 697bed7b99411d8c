package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One requirement of a selector on labels, or on the fields of a node.
 *
 * @param values empty for operators that look at the key alone
 */
public record Requirement(String key, Operator operator, Set<String> values) implements Predicate<Map<String, String>> {
    private static final Set<Operator> NUMERIC = EnumSet.of(Operator.Gt, Operator.Lt);

    /** How a label is looked at. A label that is not there is in no set. */
    public enum Operator { In, NotIn, Exists, DoesNotExist, Gt, Lt }

    /** An entry of a label selector's {@code matchExpressions}. @return empty if it has no operator of these */
    public static Optional<Requirement> ofLabels(JsonNode expression) {
        return ofNode(expression).filter(requirement -> !NUMERIC.contains(requirement.operator));
    }

    /** An entry of a node selector term, which can also compare numbers. @return empty if it has no operator of these */
    public static Optional<Requirement> ofNode(JsonNode expression) {
        for (Operator operator : Operator.values()) {
            if (operator.name().equals(expression.path("operator").asText())) {
                return Optional.of(new Requirement(expression.path("key").asText().intern(), operator,
                        Set.copyOf(Texts.list(expression.path("values")))));
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean test(Map<String, String> labels) {
        String label = labels.get(key);
        return switch (operator) {
            case In -> label != null && values.contains(label);
            case NotIn -> label == null || !values.contains(label);
            case Exists -> label != null;
            case DoesNotExist -> label == null;
            case Gt -> label != null && compare(label) > 0;
            case Lt -> label != null && compare(label) < 0;
        };
    }

    /** @return 0 also where one of the two is no whole number: neither greater nor less */
    private int compare(String label) {
        try {
            return values.size() != 1 ? 0
                    : Long.compare(Long.parseLong(label), Long.parseLong(values.iterator().next()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
