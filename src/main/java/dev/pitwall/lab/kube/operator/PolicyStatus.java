package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Instant;

/**
 * How a ClusterPolicy stands. A policy with nothing to do counts as ready, and its reason says so. (facts: cluster.md
 * 1.4)
 *
 * @param state   {@code ready}, {@code notReady} or {@code ignored}
 * @param reason  for example {@code OperandNotReady}
 */
record PolicyStatus(String state, String reason, String message) {

    boolean isReady() {
        return state.equals("ready");
    }

    /** Writes it into a policy; a condition that stays as it was keeps its time. */
    void write(ObjectNode policy, String namespace, Instant now) {
        ObjectNode status = policy.withObjectProperty("status");
        JsonNode before = status.path("conditions").deepCopy();
        status.put("state", state).put("namespace", namespace);
        if (state.equals("ignored")) {
            return;
        }
        status.putArray("conditions");
        condition(status, before, "Ready", isReady(), reason, message, now);
        condition(status, before, "Error", !isReady(), isReady() ? "Ready" : reason, isReady() ? "" : message, now);
    }

    private static void condition(ObjectNode status, JsonNode before, String type, boolean is, String reason,
                                  String message, Instant now) {
        String value = is ? "True" : "False";
        String since = Timestamp.of(now);
        for (JsonNode old : before) {
            if (old.path("type").asText().equals(type) && old.path("status").asText().equals(value)) {
                since = old.path("lastTransitionTime").asText(since);
            }
        }
        status.withArrayProperty("conditions").addObject().put("type", type).put("status", value)
                .put("reason", reason).put("message", message).put("lastTransitionTime", since);
    }
}
