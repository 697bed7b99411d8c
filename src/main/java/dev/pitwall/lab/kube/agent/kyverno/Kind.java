package dev.pitwall.lab.kube.agent.kyverno;

import dev.pitwall.lab.kube.store.Resource;
import java.util.Map;

/** The kind of a resource, for those that policies are written about. */
final class Kind {
    private static final Map<String, String> IRREGULAR = Map.ofEntries(Map.entry("configmaps", "ConfigMap"),
            Map.entry("daemonsets", "DaemonSet"), Map.entry("replicasets", "ReplicaSet"),
            Map.entry("statefulsets", "StatefulSet"), Map.entry("cronjobs", "CronJob"),
            Map.entry("serviceaccounts", "ServiceAccount"), Map.entry("resourcequotas", "ResourceQuota"),
            Map.entry("limitranges", "LimitRange"), Map.entry("persistentvolumeclaims", "PersistentVolumeClaim"),
            Map.entry("networkpolicies", "NetworkPolicy"), Map.entry("ingresses", "Ingress"),
            Map.entry("replicationcontrollers", "ReplicationController"), Map.entry("rolebindings", "RoleBinding"),
            Map.entry("clusterroles", "ClusterRole"), Map.entry("clusterrolebindings", "ClusterRoleBinding"),
            Map.entry("storageclasses", "StorageClass"), Map.entry("persistentvolumes", "PersistentVolume"),
            Map.entry("priorityclasses", "PriorityClass"), Map.entry("runtimeclasses", "RuntimeClass"));

    private Kind() {
    }

    static String of(Resource resource) {
        String plural = resource.plural();
        String singular = plural.endsWith("s") ? plural.substring(0, plural.length() - 1) : plural;
        return IRREGULAR.getOrDefault(plural, Character.toUpperCase(singular.charAt(0)) + singular.substring(1));
    }
}
