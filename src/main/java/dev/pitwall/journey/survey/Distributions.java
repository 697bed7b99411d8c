package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;
import java.util.List;

/** Tells what set a cluster up, from its version and what it left on its nodes. */
final class Distributions {
    private static final String MICROK8S = "microk8s.io/cluster";

    private Distributions() {
    }

    /**
     * Talos is told by the system's own name, RKE2 and k3s by the version's end, MicroK8s by its label.
     *
     * @param nodes all that are known
     */
    static Distribution of(String version, List<JsonNode> nodes) {
        if (!nodes.isEmpty() && nodes.stream().allMatch(n ->
                n.at("/status/nodeInfo/osImage").asText().startsWith("Talos"))) {
            return Distribution.TALOS;
        }
        if (ends(version, nodes, "+rke2")) {
            return Distribution.RKE2;
        }
        if (ends(version, nodes, "+k3s")) {
            return Distribution.K3S;
        }
        return nodes.stream().anyMatch(n -> n.at("/metadata/labels").has(MICROK8S)) ? Distribution.MICROK8S
                : Distribution.KUBEADM;
    }

    private static boolean ends(String version, List<JsonNode> nodes, String mark) {
        return version.contains(mark)
                || nodes.stream().anyMatch(n -> n.at("/status/nodeInfo/kubeletVersion").asText().contains(mark));
    }
}
