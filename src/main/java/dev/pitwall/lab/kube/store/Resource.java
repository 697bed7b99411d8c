package dev.pitwall.lab.kube.store;

/**
 * A kind of object as the store keys it: versions of one group share their objects.
 *
 * @param group  empty for the core group
 * @param plural for example {@code pods}
 */
public record Resource(String group, String plural) {
    // Kubernetes' own that more than one part of the lab's cluster acts on; those of a third party are where it is.
    public static final Resource NAMESPACES = core("namespaces");
    public static final Resource NODES = core("nodes");
    public static final Resource PODS = core("pods");
    public static final Resource SERVICES = core("services");
    public static final Resource ENDPOINTS = core("endpoints");
    public static final Resource CONFIG_MAPS = core("configmaps");
    public static final Resource SECRETS = core("secrets");
    public static final Resource SERVICE_ACCOUNTS = core("serviceaccounts");
    public static final Resource EVENTS = core("events");
    public static final Resource LIMIT_RANGES = core("limitranges");
    public static final Resource QUOTAS = core("resourcequotas");
    public static final Resource VOLUME_CLAIMS = core("persistentvolumeclaims");
    public static final Resource VOLUMES = core("persistentvolumes");
    public static final Resource DEPLOYMENTS = new Resource("apps", "deployments");
    public static final Resource REPLICA_SETS = new Resource("apps", "replicasets");
    public static final Resource DAEMON_SETS = new Resource("apps", "daemonsets");
    public static final Resource STATEFUL_SETS = new Resource("apps", "statefulsets");
    public static final Resource REVISIONS = new Resource("apps", "controllerrevisions");
    public static final Resource JOBS = new Resource("batch", "jobs");
    public static final Resource CRON_JOBS = new Resource("batch", "cronjobs");
    public static final Resource ENDPOINT_SLICES = new Resource("discovery.k8s.io", "endpointslices");
    public static final Resource BUDGETS = new Resource("policy", "poddisruptionbudgets");
    public static final Resource STORAGE_CLASSES = new Resource("storage.k8s.io", "storageclasses");
    public static final Resource RUNTIME_CLASSES = new Resource("node.k8s.io", "runtimeclasses");
    public static final Resource PRIORITY_CLASSES = new Resource("scheduling.k8s.io", "priorityclasses");
    public static final Resource LEASES = new Resource("coordination.k8s.io", "leases");
    public static final Resource DEFINITIONS = new Resource("apiextensions.k8s.io", "customresourcedefinitions");

    /** A resource of the core group. */
    public static Resource core(String plural) {
        return new Resource("", plural);
    }

    /** As error texts name it: {@code pods}, {@code daemonsets.apps}. */
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
