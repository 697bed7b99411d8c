package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A label selector as objects carry it: {@code matchLabels} and {@code matchExpressions}. */
public final class Selector implements Predicate<Map<String, String>> {
    private static final Selector NOTHING = new Selector(List.of(labels -> false));

    private final List<Predicate<Map<String, String>>> requirements;

    private Selector(List<Predicate<Map<String, String>>> requirements) {
        this.requirements = requirements;
    }

    /** @param selector absent selects nothing, an empty one everything */
    public static Selector of(JsonNode selector) {
        if (!selector.isObject()) {
            return NOTHING;
        }
        List<Predicate<Map<String, String>>> requirements = new ArrayList<>();
        requirements.add(exactly(selector.path("matchLabels")));
        selector.path("matchExpressions").forEach(expression -> requirements.add(expression(expression)));
        return new Selector(List.copyOf(requirements));
    }

    /** The plain map of a Service or a ReplicationController; absent or empty selects nothing. */
    public static Selector ofMap(JsonNode labels) {
        return labels.isEmpty() ? NOTHING : new Selector(List.of(exactly(labels)));
    }

    /** One requirement on labels, also on the fields of a node. */
    public static Predicate<Map<String, String>> expression(JsonNode expression) {
        String key = expression.path("key").asText().intern();
        Set<String> values = new HashSet<>();
        expression.path("values").forEach(value -> values.add(value.asText()));
        return switch (expression.path("operator").asText()) {
            case "In" -> labels -> labels.containsKey(key) && values.contains(labels.get(key));
            case "NotIn" -> labels -> !labels.containsKey(key) || !values.contains(labels.get(key));
            case "Exists" -> labels -> labels.containsKey(key);
            case "DoesNotExist" -> labels -> !labels.containsKey(key);
            case "Gt" -> labels -> compare(labels.get(key), values) > 0;
            case "Lt" -> labels -> compare(labels.get(key), values) < 0;
            default -> labels -> false;
        };
    }

    @Override
    public boolean test(Map<String, String> labels) {
        for (Predicate<Map<String, String>> requirement : requirements) {
            if (!requirement.test(labels)) {
                return false;
            }
        }
        return true;
    }

    private static Predicate<Map<String, String>> exactly(JsonNode labels) {
        Map<String, String> wanted = new HashMap<>();
        labels.properties().forEach(label -> wanted.put(label.getKey(), label.getValue().asText()));
        Map<String, String> all = Map.copyOf(wanted);
        return found -> found.entrySet().containsAll(all.entrySet());
    }

    /** @return 0 also where one of the two is no whole number: neither greater nor less */
    private static int compare(String label, Set<String> values) {
        try {
            return label == null || values.size() != 1 ? 0
                    : Long.compare(Long.parseLong(label), Long.parseLong(values.iterator().next()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
