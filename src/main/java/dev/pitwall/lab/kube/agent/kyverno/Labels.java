package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Requirement;
import dev.pitwall.lab.kube.object.Texts;
import java.util.stream.StreamSupport;

/** Selectors of labels, in which Kyverno allows wildcards. */
final class Labels {
    private Labels() {
    }

    static boolean select(JsonNode selector, JsonNode labels) {
        return allFit(selector.path("matchLabels"), labels)
                && StreamSupport.stream(selector.path("matchExpressions").spliterator(), false)
                .allMatch(expression -> fits(expression, labels));
    }

    /** True if each wanted label or annotation is there with a value that fits. */
    static boolean allFit(JsonNode wanted, JsonNode there) {
        return wanted.properties().stream().allMatch(one -> there.properties().stream().anyMatch(label ->
                Terms.fits(label.getKey(), one.getKey())
                        && Terms.fits(label.getValue().asText(), one.getValue().asText())));
    }

    private static boolean fits(JsonNode expression, JsonNode labels) {
        return Requirement.ofLabels(expression).orElseThrow(() -> new NotUnderstood("the operator "
                + expression.path("operator").asText() + " in a selector")).test(Texts.map(labels));
    }
}
