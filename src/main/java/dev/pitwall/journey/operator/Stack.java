package dev.pitwall.journey.operator;

import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.StackNames;
import java.util.Arrays;
import java.util.Optional;

/** What makes cards schedulable. */
enum Stack {
    OPERATOR("operator"),
    DEVICE_PLUGIN("device-plugin");

    static final String KEY = "stack";
    /** The operator's recipe for Talos begins with this release (facts: cluster.md 4.2). */
    private static final VersionNumber TALOS_WITH_OPERATOR = VersionNumber.of("1.13");

    private final String value;

    Stack(String value) {
        this.value = value;
    }

    String value() {
        return value;
    }

    static Optional<Stack> named(String value) {
        return Arrays.stream(values()).filter(s -> s.value.equals(value)).findFirst();
    }

    /** The chosen one, else the one that is there, else the one that is recommended. */
    static Stack of(Situation situation, ClusterSurvey cluster) {
        return situation.choices().get(KEY).flatMap(Stack::named).orElseGet(() -> usual(cluster));
    }

    static Stack usual(ClusterSurvey cluster) {
        return installed(cluster).orElseGet(() -> recommended(cluster));
    }

    static Optional<Stack> installed(ClusterSurvey cluster) {
        boolean operator = !cluster.releasesOf(StackNames.OPERATOR).isEmpty()
                || !cluster.all(ObjectType.CLUSTER_POLICY).isEmpty();
        return operator ? Optional.of(OPERATOR) : cluster.releasesOf(StackNames.DEVICE_PLUGIN).isEmpty()
                ? Optional.empty() : Optional.of(DEVICE_PLUGIN);
    }

    /** The operator, but on releases of Talos that have no recipe for it. */
    static Stack recommended(ClusterSurvey cluster) {
        return ClusterNeeds.talos(cluster).filter(v -> v.minor().before(TALOS_WITH_OPERATOR)).isPresent()
                ? DEVICE_PLUGIN : OPERATOR;
    }
}
