package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What a cluster has from its installation on: namespaces, roles, classes, definitions, policies. */
final class BaseObjects {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final Desired desired;
    private final ClusterData data;
    private final ResourceCatalog catalog;
    private final Instant installed;
    private final String taintValue;

    BaseObjects(Desired desired, ClusterData data, ClusterView view, ResourceCatalog catalog) {
        this.desired = desired;
        this.data = data;
        this.catalog = catalog;
        this.installed = view.nodes().stream().map(ClusterView.Node::bootedAt).min(Instant::compareTo)
                .orElse(Instant.EPOCH).minusSeconds(86_400L * 60);
        this.taintValue = new Taints(view).usualValue();
    }

    void addAll() {
        data.namespaces().forEach(this::namespace);
        clusterRole("cluster-admin", rule(List.of("*"), List.of("*"), List.of("*")));
        clusterRole("pitwall-viewer",
                rule(List.of("get", "list", "watch"), List.of(""), List.of("nodes", "pods", "pods/log", "services",
                        "endpoints", "namespaces", "events", "configmaps", "persistentvolumeclaims",
                        "resourcequotas", "limitranges", "serviceaccounts")),
                rule(List.of("get", "list", "watch"), List.of("apps", "batch", "discovery.k8s.io", "node.k8s.io",
                        "nvidia.com", "kyverno.io", "kubeflow.org", "storage.k8s.io"), List.of("*")));
        clusterRoleBinding("cluster-admin", "Group", "system:masters");
        clusterRoleBinding("pitwall-viewer", "Group", "pitwall:viewers");
        for (String name : List.of("nvidia", "nvidia-cdi", "nvidia-legacy")) {
            ObjectNode runtime = desired.add(new Resource("node.k8s.io", "runtimeclasses"), "", name, installed);
            Desired.labels(runtime, Map.of("app.kubernetes.io/component", "gpu-operator"));
            runtime.put("handler", name);
        }
        ObjectNode storage = desired.add(new Resource("storage.k8s.io", "storageclasses"), "", "rook-ceph-block",
                installed);
        storage.put("provisioner", "rook-ceph.rbd.csi.ceph.com").put("reclaimPolicy", "Delete")
                .put("volumeBindingMode", "Immediate").put("allowVolumeExpansion", true);
        catalog.definitions().forEach(this::definition);
        kyvernoPolicy();
        apiService();
    }

    private void namespace(ClusterData.Space space) {
        ObjectNode namespace = desired.add(Resource.core("namespaces"), "", space.name(), installed);
        Desired.labels(namespace, Map.of("kubernetes.io/metadata.name", space.name()));
        Desired.labels(namespace, space.labels());
        namespace.putObject("spec").putArray("finalizers").add("kubernetes");
        namespace.putObject("status").put("phase", "Active");
        desired.add(Resource.core("serviceaccounts"), space.name(), "default", installed);
        ObjectNode root = desired.add(Resource.core("configmaps"), space.name(), "kube-root-ca.crt", installed);
        root.putObject("data").put("ca.crt", "");
    }

    private ObjectNode rule(List<String> verbs, List<String> groups, List<String> resources) {
        ObjectNode rule = Json.object();
        texts(rule, "verbs", verbs);
        texts(rule, "apiGroups", groups);
        texts(rule, "resources", resources);
        return rule;
    }

    private void clusterRole(String name, ObjectNode... rules) {
        ArrayNode list = desired.add(new Resource(RBAC, "clusterroles"), "", name, installed).putArray("rules");
        List.of(rules).forEach(list::add);
    }

    private void clusterRoleBinding(String name, String kind, String subject) {
        ObjectNode binding = desired.add(new Resource(RBAC, "clusterrolebindings"), "", name, installed);
        binding.putArray("subjects").addObject().put("kind", kind).put("name", subject).put("apiGroup", RBAC);
        binding.putObject("roleRef").put("apiGroup", RBAC).put("kind", "ClusterRole").put("name", name);
    }

    private void definition(String name, ObjectNode bundled) {
        ObjectNode definition = desired.add(new Resource("apiextensions.k8s.io", "customresourcedefinitions"), "",
                name, installed);
        definition.set("spec", bundled.path("spec"));
        ArrayNode conditions = definition.putObject("status").putArray("conditions");
        for (String condition : List.of("NamesAccepted", "Established")) {
            conditions.addObject().put("type", condition).put("status", "True");
        }
    }

    private void kyvernoPolicy() {
        ObjectNode policy = desired.add(new Resource("kyverno.io", "clusterpolicies"), "", "gpu-pods-to-gpu-nodes",
                installed);
        ObjectNode spec = policy.putObject("spec").put("admission", true).put("background", false);
        ObjectNode rule = spec.putArray("rules").addObject().put("name", "tolerate-and-pin");
        rule.putObject("match").putArray("any").addObject().putObject("resources").putArray("kinds").add("Pod");
        ObjectNode condition = rule.putObject("preconditions").putArray("any").addObject();
        condition.put("key", "{{ request.object.spec.containers[].resources.limits.\"nvidia.com/gpu\" | length(@) }}")
                .put("operator", "GreaterThan").put("value", 0);
        ObjectNode patch = rule.putObject("mutate").putObject("patchStrategicMerge").putObject("spec");
        patch.putArray("tolerations").addObject().put("key", "nvidia.com/gpu").put("operator", "Equal")
                .put("value", taintValue).put("effect", "NoSchedule");
        ObjectNode term = patch.putObject("affinity").putObject("nodeAffinity")
                .putObject("requiredDuringSchedulingIgnoredDuringExecution").putArray("nodeSelectorTerms").addObject();
        term.putArray("matchExpressions").addObject().put("key", "nodepool").put("operator", "In").putArray("values")
                .add("gpu");
        policy.putObject("status").putArray("conditions").addObject().put("type", "Ready").put("status", "True")
                .put("reason", "Succeeded").put("message", "Ready");
    }

    private void apiService() {
        new Services(desired, data).add(new Services.Plan("default", "kubernetes",
                Map.of("component", "apiserver", "provider", "kubernetes"), Map.of(), 443, 6443, "https", installed,
                List.of()));
    }

    private static void texts(ObjectNode node, String name, List<String> values) {
        ArrayNode list = node.putArray(name);
        values.forEach(list::add);
    }
}
