package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a pod tolerates to get to the card's node: the taint of cards whatever its value, and every other taint that the
 * node really has.
 */
final class Tolerations {
    private record Taint(String key, String effect) {
    }

    private Tolerations() {
    }

    static ArrayNode of(CardNode node) {
        Set<Taint> taints = new LinkedHashSet<>();
        taints.add(new Taint(CardNode.CARD, "NoSchedule"));
        for (JsonNode taint : node.taints()) {
            taints.add(new Taint(taint.path("key").asText(), taint.path("effect").asText()));
        }
        ArrayNode tolerations = JsonNodeFactory.instance.arrayNode();
        taints.forEach(taint -> tolerations.addObject().put("key", taint.key()).put("operator", "Exists")
                .put("effect", taint.effect()));
        return tolerations;
    }
}
