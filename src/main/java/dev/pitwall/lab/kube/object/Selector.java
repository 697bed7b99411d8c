package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A label selector as objects carry it: {@code matchLabels} and {@code matchExpressions}. */
public final class Selector implements Predicate<Map<String, String>> {
    private static final Selector NOTHING = new Selector(List.of(labels -> false));

    private final List<Predicate<Map<String, String>>> requirements;

    private Selector(List<Predicate<Map<String, String>>> requirements) {
        this.requirements = requirements;
    }

    /** @param selector absent selects nothing, an empty one everything; an operator that there is not selects nothing */
    public static Selector of(JsonNode selector) {
        if (!selector.isObject()) {
            return NOTHING;
        }
        List<Predicate<Map<String, String>>> requirements = new ArrayList<>();
        requirements.add(exactly(selector.path("matchLabels")));
        for (JsonNode expression : selector.path("matchExpressions")) {
            Predicate<Map<String, String>> nothing = labels -> false;
            requirements.add(Requirement.ofLabels(expression).<Predicate<Map<String, String>>>map(one -> one)
                    .orElse(nothing));
        }
        return new Selector(List.copyOf(requirements));
    }

    /** The plain map of a Service or a ReplicationController; absent or empty selects nothing. */
    public static Selector ofMap(JsonNode labels) {
        return labels.isEmpty() ? NOTHING : new Selector(List.of(exactly(labels)));
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
        Map<String, String> all = Texts.map(labels);
        return found -> found.entrySet().containsAll(all.entrySet());
    }
}
