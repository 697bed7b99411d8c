package dev.pitwall.lab.kube.control;

import dev.pitwall.lab.kube.store.Resource;
import java.util.Set;

/** What the controllers of the control plane have in common: what they know, how they write, and how they name things. */
public record ControlPlane(ClusterHand hand, EventRecorder events, ClusterClock clock, Suffixes suffixes, Pods pods,
                           Nodes nodes, KnownObjects objects) {
    public static final Resource NAMESPACES = Resource.core("namespaces");
    public static final Resource SERVICES = Resource.core("services");
    public static final Resource ENDPOINTS = Resource.core("endpoints");
    public static final Resource QUOTAS = Resource.core("resourcequotas");
    public static final Resource CLAIMS = Resource.core("persistentvolumeclaims");
    public static final Resource VOLUMES = Resource.core("persistentvolumes");
    public static final Resource DEPLOYMENTS = new Resource("apps", "deployments");
    public static final Resource REPLICA_SETS = new Resource("apps", "replicasets");
    public static final Resource DAEMON_SETS = new Resource("apps", "daemonsets");
    public static final Resource STATEFUL_SETS = new Resource("apps", "statefulsets");
    public static final Resource REVISIONS = new Resource("apps", "controllerrevisions");
    public static final Resource JOBS = new Resource("batch", "jobs");
    public static final Resource CRON_JOBS = new Resource("batch", "cronjobs");
    public static final Resource SLICES = new Resource("discovery.k8s.io", "endpointslices");
    public static final Resource BUDGETS = new Resource("policy", "poddisruptionbudgets");
    public static final Resource STORAGE_CLASSES = new Resource("storage.k8s.io", "storageclasses");

    /** What {@link KnownObjects} has to know for the controllers. */
    public static final Set<Resource> KNOWN = Set.of(NAMESPACES, SERVICES, ENDPOINTS, QUOTAS, CLAIMS, VOLUMES,
            DEPLOYMENTS, REPLICA_SETS, DAEMON_SETS, STATEFUL_SETS, REVISIONS, JOBS, CRON_JOBS, SLICES, BUDGETS,
            STORAGE_CLASSES);

    /** The same for a controller with a service account of its own. */
    public ControlPlane as(String serviceAccount) {
        return new ControlPlane(hand.as("system:serviceaccount:kube-system:" + serviceAccount), events, clock, suffixes,
                pods, nodes, objects);
    }
}
