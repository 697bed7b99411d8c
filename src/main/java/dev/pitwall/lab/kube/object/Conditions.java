package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Instant;
import java.util.Iterator;

/** The conditions of a status. */
public final class Conditions {
    private Conditions() {
    }

    /** What is to stand in a condition. */
    public record Condition(String type, String status, String reason, String message) {
    }

    /** @return a missing node if there is none of the type */
    public static JsonNode find(JsonNode object, String type) {
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }

    public static boolean isTrue(JsonNode object, String type) {
        return find(object, type).path("status").asText("").equals("True");
    }

    /**
     * Writes a condition; {@code lastTransitionTime} moves only when its status does.
     *
     * @return the condition, for further fields
     */
    public static ObjectNode set(ObjectNode object, Condition wanted, Instant now) {
        ArrayNode conditions = object.withObjectProperty("status").withArrayProperty("conditions");
        ObjectNode condition = null;
        for (JsonNode there : conditions) {
            if (there.path("type").asText().equals(wanted.type())) {
                condition = (ObjectNode) there;
            }
        }
        if (condition == null) {
            condition = conditions.addObject().put("type", wanted.type());
        }
        if (!condition.path("status").asText("").equals(wanted.status())) {
            condition.put("status", wanted.status()).put("lastTransitionTime", Timestamp.of(now));
        }
        OmitEmpty.put(condition, "reason", wanted.reason());
        OmitEmpty.put(condition, "message", wanted.message());
        return condition;
    }

    /** Takes a condition away, if it is there. */
    public static void remove(ObjectNode object, String type) {
        Iterator<JsonNode> conditions = object.path("status").path("conditions").iterator();
        while (conditions.hasNext()) {
            if (conditions.next().path("type").asText().equals(type)) {
                conditions.remove();
            }
        }
    }
}
