package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Helm.Release;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Where the software that makes cards schedulable lies in a cluster: its charts, DaemonSets and namespaces. */
public final class StackNames {
    /** Where the GPU Operator goes unless it is somewhere already. */
    public static final String USUAL_NAMESPACE = "gpu-operator";
    public static final String OPERATOR = "gpu-operator";
    public static final String DEVICE_PLUGIN = "nvidia-device-plugin";
    /** Charts whose releases are looked into. */
    private static final Set<String> CHARTS = Set.of(OPERATOR, DEVICE_PLUGIN, "node-feature-discovery", "dcgm-exporter",
            "dra-driver-nvidia-gpu", "nvidia-dra-driver-gpu");
    private static final List<String> DAEMON_SETS = List.of("nvidia-device-plugin", "nvidia-driver-daemonset",
            "gpu-feature-discovery", "node-feature-discovery", "nfd-worker", "dcgm-exporter", "nvidia-dra-driver");

    private StackNames() {
    }

    public static boolean isOfStack(Release release) {
        return CHARTS.contains(release.chart());
    }

    /** True for a DaemonSet that the operator, NFD or one of the standalone charts makes, whatever their release is called. */
    public static boolean isOfStack(JsonNode daemonSet) {
        String name = daemonSet.at("/metadata/name").asText();
        return DAEMON_SETS.stream().anyMatch(name::contains);
    }

    /** All namespaces that something of it is in, and the usual one. */
    public static Set<String> namespaces(Collection<Release> releases, Collection<JsonNode> policies,
                                  Collection<JsonNode> daemonSets) {
        Set<String> namespaces = new TreeSet<>(Set.of(USUAL_NAMESPACE));
        releases.stream().filter(StackNames::isOfStack).map(Release::namespace).forEach(namespaces::add);
        policies.stream().map(policy -> policy.at("/status/namespace").asText("")).filter(n -> !n.isEmpty())
                .forEach(namespaces::add);
        daemonSets.stream().filter(StackNames::isOfStack).map(set -> set.at("/metadata/namespace").asText())
                .forEach(namespaces::add);
        return namespaces;
    }
}
