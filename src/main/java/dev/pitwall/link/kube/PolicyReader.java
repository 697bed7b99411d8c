package dev.pitwall.link.kube;

import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import dev.pitwall.card.ClusterReport.PolicyReport;

/** Reduces the GPU Operator's ClusterPolicy to its report. */
final class PolicyReader {
    private PolicyReader() {
    }

    static Optional<PolicyReport> read(JsonNode policy) {
        JsonNode spec = policy.path("spec");
        JsonNode status = policy.path("status");
        JsonNode condition = telling(status.path("conditions"));
        return Optional.of(new PolicyReport(policy.path("metadata").path("name").asText(""),
                status.path("state").asText(""), Fields.text(condition, "reason"), Fields.text(condition, "message"),
                spec.path("cdi").path("enabled").asBoolean(true),
                spec.path("driver").path("enabled").asBoolean(true),
                spec.path("toolkit").path("enabled").asBoolean(true)));
    }

    /** Of {@code Ready} and {@code Error} the condition that holds; else {@code Ready} with why it does not. */
    private static JsonNode telling(JsonNode conditions) {
        JsonNode ready = MissingNode.getInstance();
        for (JsonNode condition : conditions) {
            String type = condition.path("type").asText("");
            boolean known = type.equals("Ready") || type.equals("Error");
            if (known && condition.path("status").asText().equals("True")) {
                return condition;
            }
            if (type.equals("Ready")) {
                ready = condition;
            }
        }
        return ready;
    }
}
