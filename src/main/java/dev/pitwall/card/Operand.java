package dev.pitwall.card;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the pods of a GPU operand on one node and says in which state they are.
 *
 * @param pods those on the node, or meant for it
 */
record Operand(Observed<ClusterReport> cluster, ClusterReport report, NodeReport node, List<PodReport> pods) {

    /** Apps of the operator's and the standalone charts' DaemonSets. */
    static final List<String> DRIVER = List.of("nvidia-driver-daemonset", "nvidia-vgpu-manager-daemonset");
    static final List<String> TOOLKIT = List.of("nvidia-container-toolkit-daemonset");
    static final List<String> PLUGIN = List.of("nvidia-device-plugin-daemonset", "nvidia-device-plugin");
    static final List<String> GFD = List.of("gpu-feature-discovery");
    static final List<String> NFD_WORKER = List.of("node-feature-discovery", "nfd-worker", "nfd");
    static final List<String> EXPORTER = List.of("nvidia-dcgm-exporter", "dcgm-exporter");
    static final List<String> VALIDATOR = List.of("nvidia-operator-validator");
    static final List<String> MPS = List.of("nvidia-mps-control-daemon");
    static final List<String> MIG = List.of("nvidia-mig-manager");
    static final List<String> CUDA_VALIDATOR = List.of("nvidia-cuda-validator");

    /** For a card with a node, in a cluster that has answered. */
    static Operand of(Observed<ClusterReport> cluster, CardPlace place) {
        return new Operand(cluster, cluster.value().orElseThrow(), place.node().orElseThrow(), place.pods());
    }

    /** The operand's pod on this node, a bound one before one that is meant for it. */
    Optional<PodReport> pod(List<String> apps) {
        return pods.stream().filter(p -> isOf(p, apps))
                .min(Comparator.comparing((PodReport p) -> p.node().isPresent() ? 0 : 1)
                        .thenComparing(p -> p.deleting() ? 1 : 0)
                        .thenComparing(PodReport::name));
    }

    Optional<ClusterReport.DaemonSetReport> daemonSet(List<String> apps) {
        return report.daemonSets().stream().filter(d -> apps.stream().anyMatch(a -> named(d.name(), a))).findFirst();
    }

    private static boolean isOf(PodReport pod, List<String> apps) {
        return pod.app().filter(apps::contains).isPresent()
                || pod.owner().filter(o -> o.startsWith("DaemonSet/"))
                .filter(o -> apps.stream().anyMatch(a -> named(o.substring("DaemonSet/".length()), a))).isPresent();
    }

    /** A Helm release puts its name before, for example {@code gpu-operator-node-feature-discovery-worker}. */
    static boolean named(String object, String app) {
        return object.equals(app) || object.endsWith("-" + app) || object.endsWith("-" + app + "-worker");
    }

    Source source(PodReport pod) {
        return new Source(Source.Kind.CLUSTER, cluster.system(), "pod/" + pod.namespace() + "/" + pod.name());
    }

    Source nodeSource() {
        return new Source(Source.Kind.CLUSTER, cluster.system(), "node/" + node.name());
    }
}
