package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.util.Comparator;
import java.util.Optional;

/** The ClusterPolicies of a cluster. */
final class Policies {
    private Policies() {
    }

    /** The one that the operator follows: all others are in state {@code ignored} (facts: cluster.md 1.4). */
    static Optional<JsonNode> counting(ClusterSurvey cluster) {
        return cluster.all(ObjectType.CLUSTER_POLICY).stream()
                .filter(policy -> !policy.at("/status/state").asText().equals("ignored"))
                .min(Comparator.comparing((JsonNode policy) -> policy.at("/metadata/creationTimestamp").asText())
                        .thenComparing(policy -> policy.at("/metadata/name").asText()));
    }
}
