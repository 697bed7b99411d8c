package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.node.DriverFit;
import dev.pitwall.journey.node.Generation;
import dev.pitwall.journey.node.Generations;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.StackNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What decides which chart goes with a cluster.
 *
 * @param kubernetes       its version
 * @param talos            the oldest version of Talos among the nodes; empty where not all nodes run it
 * @param driverByOperator whether the operator is to bring the driver
 * @param cards            all cards that one driver of the operator would be for: this one, and those of other nodes
 * @param installed        the version of the operator's chart that is there
 */
record ClusterNeeds(VersionNumber kubernetes, Optional<VersionNumber> talos, boolean driverByOperator, DriverFit cards,
                    Optional<String> installed) {
    private static final Pattern TALOS = Pattern.compile("Talos \\((v[^)]+)\\)");
    private static final String FAMILY = "nvidia.com/gpu.family";

    static ClusterNeeds of(Situation situation, ClusterSurvey cluster, boolean driverByOperator) {
        return new ClusterNeeds(VersionNumber.of(cluster.version()), talos(cluster), driverByOperator,
                cards(situation, cluster), cluster.counting(StackNames.OPERATOR).stream().findFirst()
                .map(Release::chartVersion));
    }

    static Optional<VersionNumber> talos(ClusterSurvey cluster) {
        return cluster.distribution() != ClusterSurvey.Distribution.TALOS ? Optional.empty()
                : cluster.all(ObjectType.NODE).stream().flatMap(node -> version(node).stream()).min(VersionNumber::compareTo);
    }

    private static Optional<VersionNumber> version(JsonNode node) {
        Matcher m = TALOS.matcher(node.at("/status/nodeInfo/osImage").asText());
        return m.find() ? Optional.of(VersionNumber.of(m.group(1))) : Optional.empty();
    }

    private static DriverFit cards(Situation situation, ClusterSurvey cluster) {
        Generations generations = new Generations();
        DriverFit own = DriverFit.of(situation.host().slot(situation.card().slot()), generations);
        Set<Generation> all = new LinkedHashSet<>(own.generations());
        cluster.all(ObjectType.NODE).stream().map(node -> node.at("/metadata/labels").path(FAMILY).asText(""))
                .flatMap(family -> generations.ofFamily(family).stream()).forEach(all::add);
        return new DriverFit(new ArrayList<>(all), own.unknown());
    }
}
