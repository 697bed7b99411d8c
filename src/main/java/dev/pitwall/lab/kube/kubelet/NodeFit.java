package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.Json;
import java.util.ArrayList;
import java.util.List;

/** Node selectors and required node affinity, as a kubelet looks at them again. */
final class NodeFit {
    private NodeFit() {
    }

    static boolean selects(JsonNode selector, JsonNode labels) {
        return selector.properties().stream().allMatch(entry -> labels.has(entry.getKey())
                && labels.path(entry.getKey()).asText().equals(entry.getValue().asText()));
    }

    /** One of the terms must fit; none given fits any node. */
    static boolean matches(JsonNode selector, JsonNode node) {
        JsonNode terms = selector.path("nodeSelectorTerms");
        if (!selector.isObject()) {
            return true;
        }
        for (JsonNode term : terms) {
            boolean empty = term.path("matchExpressions").isEmpty() && term.path("matchFields").isEmpty();
            if (!empty && all(term.path("matchExpressions"), node.at("/metadata/labels"))
                    && all(term.path("matchFields"), fields(node))) {
                return true;
            }
        }
        return false;
    }

    private static JsonNode fields(JsonNode node) {
        return Json.object().put("metadata.name", node.at("/metadata/name").asText());
    }

    private static boolean all(JsonNode requirements, JsonNode values) {
        for (JsonNode requirement : requirements) {
            if (!holds(requirement, values)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(JsonNode requirement, JsonNode values) {
        String key = requirement.path("key").asText();
        boolean has = values.has(key);
        String value = values.path(key).asText("");
        List<String> wanted = new ArrayList<>();
        requirement.path("values").forEach(each -> wanted.add(each.asText()));
        return switch (requirement.path("operator").asText()) {
            case "In" -> has && wanted.contains(value);
            case "NotIn" -> !has || !wanted.contains(value);
            case "Exists" -> has;
            case "DoesNotExist" -> !has;
            case "Gt" -> has && number(value) > number(wanted.getFirst());
            case "Lt" -> has && number(value) < number(wanted.getFirst());
            default -> false;
        };
    }

    private static long number(String text) {
        return text.matches("-?\\d{1,18}") ? Long.parseLong(text) : 0;
    }
}
