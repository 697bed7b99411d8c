package dev.pitwall.journey.change;

/**
 * A kind of object of Kubernetes, as its API server names it.
 *
 * @param group    for example {@code apps}; empty text for the core group
 * @param version  for example {@code v1}
 * @param plural   as in a path, for example {@code daemonsets}
 * @param kind     as in a manifest, for example {@code DaemonSet}
 */
public record ObjectType(String group, String version, String plural, String kind, Scope scope) {
    public static final ObjectType NODE = new ObjectType("", "v1", "nodes", "Node", Scope.CLUSTER);
    public static final ObjectType NAMESPACE = new ObjectType("", "v1", "namespaces", "Namespace", Scope.CLUSTER);
    public static final ObjectType POD = namespaced("", "v1", "pods", "Pod");
    public static final ObjectType SERVICE = namespaced("", "v1", "services", "Service");
    public static final ObjectType SECRET = namespaced("", "v1", "secrets", "Secret");
    public static final ObjectType CONFIG_MAP = namespaced("", "v1", "configmaps", "ConfigMap");
    public static final ObjectType EVENT = namespaced("", "v1", "events", "Event");
    public static final ObjectType VOLUME_CLAIM =
            namespaced("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim");
    public static final ObjectType DAEMON_SET = namespaced("apps", "v1", "daemonsets", "DaemonSet");
    public static final ObjectType DEPLOYMENT = namespaced("apps", "v1", "deployments", "Deployment");
    public static final ObjectType RUNTIME_CLASS =
            new ObjectType("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", Scope.CLUSTER);
    public static final ObjectType STORAGE_CLASS =
            new ObjectType("storage.k8s.io", "v1", "storageclasses", "StorageClass", Scope.CLUSTER);
    public static final ObjectType DEFINITION = new ObjectType("apiextensions.k8s.io", "v1",
            "customresourcedefinitions", "CustomResourceDefinition", Scope.CLUSTER);
    public static final ObjectType CLUSTER_POLICY =
            new ObjectType("nvidia.com", "v1", "clusterpolicies", "ClusterPolicy", Scope.CLUSTER);

    public static final ObjectType NVIDIA_DRIVER =
            new ObjectType("nvidia.com", "v1alpha1", "nvidiadrivers", "NVIDIADriver", Scope.CLUSTER);
    /** Cards by Dynamic Resource Allocation instead of a ClusterPolicy (facts: cluster.md 1.7). */
    public static final ObjectType GPU_CLUSTER =
            new ObjectType("nvidia.com", "v1alpha1", "gpuclusters", "GPUCluster", Scope.CLUSTER);
    public static final ObjectType RESOURCE_QUOTA = namespaced("", "v1", "resourcequotas", "ResourceQuota");
    public static final ObjectType LIMIT_RANGE = namespaced("", "v1", "limitranges", "LimitRange");
    /** What the controller of k3s and RKE2 makes a release of. */
    public static final ObjectType HELM_CHART = namespaced("helm.cattle.io", "v1", "helmcharts", "HelmChart");
    public static final ObjectType PROMETHEUS = namespaced("monitoring.coreos.com", "v1", "prometheuses", "Prometheus");
    public static final ObjectType SERVICE_MONITOR =
            namespaced("monitoring.coreos.com", "v1", "servicemonitors", "ServiceMonitor");
    public static final ObjectType KYVERNO_POLICY =
            new ObjectType("kyverno.io", "v1", "clusterpolicies", "ClusterPolicy", Scope.CLUSTER);
    public static final ObjectType MUTATING_POLICY =
            new ObjectType("policies.kyverno.io", "v1alpha1", "mutatingpolicies", "MutatingPolicy", Scope.CLUSTER);
    public static final ObjectType MODEL_PROVIDER =
            namespaced("kubemoot.ai", "v1alpha1", "modelproviders", "ModelProvider");

    /** What GitOps tools are told to keep in a cluster. */
    public static final ObjectType ARGO_APPLICATION = namespaced("argoproj.io", "v1alpha1", "applications", "Application");
    public static final ObjectType FLUX_RELEASE =
            namespaced("helm.toolkit.fluxcd.io", "v2", "helmreleases", "HelmRelease");

    /** Whether its objects lie in namespaces. */
    public enum Scope { CLUSTER, NAMESPACE }

    public static ObjectType namespaced(String group, String version, String plural, String kind) {
        return new ObjectType(group, version, plural, kind, Scope.NAMESPACE);
    }

    /** As a manifest has it, for example {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** As kubectl takes it without ambiguity, for example {@code daemonsets.apps}, or {@code deployments.apps/scale}. */
    public String resource() {
        int slash = plural.indexOf('/');
        return group.isEmpty() ? plural : slash < 0 ? plural + "." + group
                : plural.substring(0, slash) + "." + group + plural.substring(slash);
    }

    /** A part of its objects that has rights of its own, for example {@code eviction} of pods. */
    public ObjectType part(String subresource) {
        return new ObjectType(group, version, plural + "/" + subresource, kind, scope);
    }
}
