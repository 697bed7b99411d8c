package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.HelmChange.ValueLine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values of the Ollama chart (otwld/ollama-helm 1.77.0), each with its reason (facts: cluster.md 9). */
final class OllamaValues {
    /** One value by its path; a key that has dots itself is in the last part. */
    private record Value(List<String> path, JsonNode value, String reason) {
        String key() {
            return String.join(".", path);
        }
    }

    private final List<Value> values = new ArrayList<>();

    OllamaValues(Sentences texts, Situation s, CardNode node, ServerWish wish, ProofData.Server data) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        Map<String, JsonNode> card = Map.of(ProofPods.CARD, json.textNode(CardName.of(s.card())));
        put(texts.say("value.name"), json.textNode(wish.name()), "fullnameOverride");
        put(texts.say("value.gpu"), json.booleanNode(true), "ollama", "gpu", "enabled");
        put(texts.say("value.number"), json.numberNode(1), "ollama", "gpu", "number");
        put(texts.say("value.resource", node.name()), json.textNode(wish.resource()), "ollama", "gpu", "nvidiaResource");
        put(texts.say("value.node", node.name()), json.objectNode().put("kubernetes.io/hostname", node.hostname()),
                "nodeSelector");
        ArrayNode tolerations = tolerations(node, wish);
        if (!tolerations.isEmpty()) {
            put(texts.say("value.tolerations"), tolerations, "tolerations");
        }
        RuntimeNeed.of(s, node).ifPresent(name -> put(texts.say("value.runtime"), json.textNode(name), "runtimeClassName"));
        put(texts.say("value.disk"), json.booleanNode(true), "persistentVolume", "enabled");
        put(texts.say("value.size"), json.textNode(data.storage()), "persistentVolume", "size");
        wish.storage().ifPresent(name -> put(texts.say("value.class"), json.textNode(name), "persistentVolume",
                "storageClass"));
        put(texts.say("value.requests"), json.objectNode().put("cpu", data.cpu()).put("memory", data.memory()),
                "resources", "requests");
        put(texts.say("value.strategy"), json.textNode("Recreate"), "updateStrategy", "type");
        put(texts.say("value.label"), json.objectNode().setAll(card), "podLabels");
        put(texts.say("value.label"), json.objectNode().setAll(card), "deployment", "labels");
        put(texts.say("value.account"), json.booleanNode(false), "serviceAccount", "automount");
    }

    private void put(String reason, JsonNode value, String... path) {
        values.add(new Value(List.of(path), value, reason));
    }

    /** The chart itself tolerates the name by which the card is asked for, and no other taint. */
    private static ArrayNode tolerations(CardNode node, ServerWish wish) {
        ArrayNode more = JsonNodeFactory.instance.arrayNode();
        Tolerations.of(node).forEach(toleration -> {
            if (!toleration.path("key").asText().equals(wish.resource())) {
                more.add(toleration);
            }
        });
        return more;
    }

    ObjectNode tree() {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        for (Value value : values) {
            ObjectNode at = tree;
            for (String part : value.path().subList(0, value.path().size() - 1)) {
                at = at.withObjectProperty(part);
            }
            at.set(value.path().getLast(), value.value());
        }
        return tree;
    }

    /** @param defaults of the chart */
    List<ValueLine> lines(JsonNode defaults) {
        Map<String, ValueLine> lines = new LinkedHashMap<>();
        for (Value value : values) {
            JsonNode usual = defaults;
            for (String part : value.path()) {
                usual = usual.path(part);
            }
            lines.put(value.key(), new ValueLine(value.key(), Optional.empty(), usual.isMissingNode()
                    ? Optional.empty() : Optional.of(text(usual)), text(value.value()), value.reason()));
        }
        return List.copyOf(lines.values());
    }

    private static String text(JsonNode value) {
        return value.isTextual() && value.asText().isEmpty() ? "\"\"" : value.isValueNode() ? value.asText() : value.toString();
    }
}
