package dev.pitwall.journey.operator;

import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.ClusterSurvey;

/** Who teaches the container runtime to hand out cards. */
enum ToolkitSource {
    OPERATOR, SYSTEM;

    /** An operator that is there is taken as it is; else whoever brings the driver brings the toolkit. */
    static ToolkitSource of(Situation situation, ClusterSurvey cluster) {
        DriverSource driver = DriverSource.of(situation, cluster);
        boolean chosen = situation.choices().get(DriverSource.KEY).isPresent();
        return Policies.counting(cluster).filter(policy -> !chosen)
                .map(policy -> policy.at("/spec/toolkit/enabled").asBoolean(true) ? OPERATOR : SYSTEM)
                .orElse(driver == DriverSource.OPERATOR ? OPERATOR : SYSTEM);
    }
}
