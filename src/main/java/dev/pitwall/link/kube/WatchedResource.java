package dev.pitwall.link.kube;

import dev.pitwall.card.ClusterReport;

/**
 * One resource of the API, over all namespaces.
 *
 * @param name     plural, for sentences and for RBAC, for example {@code daemonsets.apps}
 * @param path     of its list
 * @param namespaced whether it lives in namespaces
 * @param optional whether the cluster may not know it at all
 * @param part     what it is in the report
 */
record WatchedResource(String name, String path, boolean namespaced, boolean optional,
                       ClusterReport.Part part) {
    static final WatchedResource NODES = new WatchedResource("nodes", "/api/v1/nodes", false, false,
            ClusterReport.Part.NODES);
    static final WatchedResource PODS = new WatchedResource("pods", "/api/v1/pods", true, false,
            ClusterReport.Part.PODS);
    static final WatchedResource SERVICES = new WatchedResource("services", "/api/v1/services", true, false,
            ClusterReport.Part.SERVICES);
    static final WatchedResource DAEMON_SETS =
            new WatchedResource("daemonsets.apps", "/apis/apps/v1/daemonsets", true, false,
                    ClusterReport.Part.DAEMON_SETS);
    static final WatchedResource POLICIES = new WatchedResource("clusterpolicies.nvidia.com",
            "/apis/nvidia.com/v1/clusterpolicies", false, true, ClusterReport.Part.POLICIES);

    String inSentence() {
        return name + (namespaced ? " in all namespaces" : "");
    }
}
