package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * How a ClusterPolicy stands. State {@code ready} with another reason than {@code Reconciled} means that nothing was
 * deployed (facts: cluster.md 1.4).
 *
 * @param state   empty text while the operator has not looked at it
 * @param reason  of the condition that holds; empty text where there is none
 * @param message for example {@code ClusterPolicy is not ready; states not ready: [state-driver]}
 */
record PolicyState(String state, String reason, String message) {

    static PolicyState of(JsonNode policy) {
        JsonNode status = policy.path("status");
        Optional<JsonNode> holds = status.path("conditions").valueStream()
                .filter(c -> c.path("status").asText().equals("True")).findFirst();
        return new PolicyState(status.path("state").asText(""), holds.map(c -> c.path("reason").asText("")).orElse(""),
                holds.map(c -> c.path("message").asText("")).orElse(""));
    }

    /** Everything that the policy asks for runs, on all nodes with cards. */
    boolean up() {
        return state.equals("ready") && reason.equals("Reconciled");
    }

    /** As a row shows it: {@code ready · Reconciled}. */
    String words() {
        return state.isEmpty() ? "–" : reason.isEmpty() ? state : state + " · " + reason;
    }
}
