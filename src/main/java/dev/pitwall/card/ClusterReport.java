package dev.pitwall.card;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a Kubernetes cluster that cards hang on, reduced to what Pitwall reads. All names are as in the cluster.
 *
 * @param version    server version, for example {@code v1.33.5+rke2r1}
 * @param nodes      every node
 * @param pods       every pod that is on a GPU node, asks for a GPU, or belongs to a GPU operand
 * @param podCount   pods in the whole cluster
 * @param daemonSets the GPU operands' DaemonSets
 * @param policy     the GPU Operator's ClusterPolicy, if there is one that counts
 * @param services   services that look like model servers, Prometheus or DCGM exporters
 * @param unseen     what the signed-in user may not read: its list is empty, which says nothing
 */
public record ClusterReport(String version, List<NodeReport> nodes, List<PodReport> pods, int podCount,
                            List<DaemonSetReport> daemonSets, Optional<PolicyReport> policy,
                            List<ServiceReport> services, Set<Part> unseen) {

    /** What is read of a cluster, each under a right of its own. */
    public enum Part { NODES, PODS, DAEMON_SETS, POLICIES, SERVICES }

    /** A report of which every part may be read. */
    public ClusterReport(String version, List<NodeReport> nodes, List<PodReport> pods, int podCount,
                         List<DaemonSetReport> daemonSets, Optional<PolicyReport> policy,
                         List<ServiceReport> services) {
        this(version, nodes, pods, podCount, daemonSets, policy, services, Set.of());
    }

    public ClusterReport {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        daemonSets = List.copyOf(daemonSets);
        services = List.copyOf(services);
        unseen = Set.copyOf(unseen);
    }

    /**
     * @param desired nodes that should run the pod; 0 also means "nothing labelled for it"
     * @param ready   pods that are ready
     * @param updated pods of the current template
     */
    public record DaemonSetReport(String namespace, String name, int desired, int ready, int updated) {
    }

    /**
     * The GPU Operator's {@code ClusterPolicy}. State {@code ready} with another reason than {@code Reconciled} means
     * that nothing was deployed.
     */
    public record PolicyReport(String name, String state, Optional<String> reason, Optional<String> message,
                               boolean cdiEnabled, boolean driverByOperator, boolean toolkitByOperator) {
    }

    /** @param ports TCP ports */
    public record ServiceReport(String namespace, String name, List<NamedPort> ports, List<String> podNames) {
        public ServiceReport {
            ports = List.copyOf(ports);
            podNames = List.copyOf(podNames);
        }
    }

    public record NamedPort(String name, int port) {
    }
}
