package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;
import java.util.Optional;

/** Who brings driver and container toolkit, as far as the operator's values depend on it: choice {@code driver}. */
enum DriverSource {
    /** The operator's own containers. */
    OPERATOR,
    /** The node's operating system. */
    SYSTEM,
    /** System extensions of Talos. */
    EXTENSION;

    static final String KEY = "driver";

    static DriverSource of(Situation situation, ClusterSurvey cluster) {
        return situation.choices().get(KEY).map(DriverSource::chosen).orElseGet(() -> usual(situation, cluster));
    }

    private static DriverSource chosen(String value) {
        return switch (value) {
            case "os" -> SYSTEM;
            case "extension" -> EXTENSION;
            default -> OPERATOR;
        };
    }

    /** What is there already; else the operator, but on Talos, whose file system it cannot write. */
    private static DriverSource usual(Situation situation, ClusterSurvey cluster) {
        if (cluster.distribution() == Distribution.TALOS) {
            return EXTENSION;
        }
        Optional<JsonNode> policy = Policies.counting(cluster);
        if (policy.isPresent()) {
            return policy.get().at("/spec/driver/enabled").asBoolean(true) ? OPERATOR : SYSTEM;
        }
        boolean preInstalled = situation.nodeName().flatMap(cluster::node).map(node -> node.at("/metadata/labels")
                .path("nvidia.com/gpu.deploy.driver").asText()).filter("pre-installed"::equals).isPresent();
        return preInstalled ? SYSTEM : OPERATOR;
    }
}
