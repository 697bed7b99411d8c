package dev.pitwall.journey.operator;

import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;

/** Who teaches the container runtime to hand out cards: choice {@code toolkit}. */
enum ToolkitSource {
    OPERATOR, SYSTEM;

    static final String KEY = "toolkit";

    static ToolkitSource of(Situation situation, ClusterSurvey cluster) {
        return situation.choices().get(KEY).map(value -> value.equals("operator") ? OPERATOR : SYSTEM)
                .orElseGet(() -> usual(cluster));
    }

    /** What is there is taken as it is; Talos has a file system that the operator's toolkit cannot write. */
    private static ToolkitSource usual(ClusterSurvey cluster) {
        if (cluster.distribution() == Distribution.TALOS) {
            return SYSTEM;
        }
        return Policies.counting(cluster).filter(policy -> !policy.at("/spec/toolkit/enabled").asBoolean(true)).isPresent()
                ? SYSTEM : OPERATOR;
    }
}
