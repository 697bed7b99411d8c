package dev.pitwall.lab.kube.control;

import dev.pitwall.lab.kube.store.Resource;
import java.util.Set;

/** What the controllers of the control plane have in common: what they know, how they write, and how they name things. */
public record ControlPlane(ClusterHand hand, EventRecorder events, ClusterClock clock, Suffixes suffixes, Pods pods,
                           Nodes nodes, KnownObjects objects) {
    /** What {@link KnownObjects} has to know for the controllers. */
    public static final Set<Resource> KNOWN = Set.of(Resource.NAMESPACES, Resource.SERVICES, Resource.ENDPOINTS,
            Resource.QUOTAS, Resource.VOLUME_CLAIMS, Resource.VOLUMES, Resource.DEPLOYMENTS, Resource.REPLICA_SETS,
            Resource.DAEMON_SETS, Resource.STATEFUL_SETS, Resource.REVISIONS, Resource.JOBS, Resource.CRON_JOBS,
            Resource.ENDPOINT_SLICES, Resource.BUDGETS, Resource.STORAGE_CLASSES);

    /** The same for a controller, which writes under a service account of its own. */
    public ControlPlane as(String serviceAccount) {
        return new ControlPlane(hand.as("system:serviceaccount:kube-system:" + serviceAccount), events, clock, suffixes,
                pods, nodes, objects);
    }
}
