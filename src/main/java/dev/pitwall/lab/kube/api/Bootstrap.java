package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;


/** Puts what every cluster has into the store, from {@code lab/kube/bootstrap.yaml}. What is there already stays. */
final class Bootstrap {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final ObjectStore store;

    Bootstrap(ObjectStore store) {
        this.store = store;
    }

    void run() {
        JsonNode data = read();
        data.path("priorityClasses").forEach(this::priorityClass);
        data.path("clusterRoles").forEach(this::clusterRole);
        data.path("clusterRoleBindings").forEach(this::binding);
    }

    private static JsonNode read() {
        return DataFile.tree("kube/bootstrap.yaml");
    }

    private void priorityClass(JsonNode entry) {
        ObjectNode body = Json.object().put("value", entry.path("value").asInt())
                .put("description", entry.path("description").asText())
                .put("preemptionPolicy", "PreemptLowerPriority");
        add(Resource.PRIORITY_CLASSES, entry, body);
    }

    private void clusterRole(JsonNode entry) {
        ObjectNode body = Json.object();
        ObjectNode labels = body.putObject("metadata").putObject("labels")
                .put("kubernetes.io/bootstrapping", "rbac-defaults");
        entry.path("labels").properties().forEach(label -> labels.set(label.getKey(), label.getValue()));
        body.set("rules", entry.path("rules").isArray() ? entry.path("rules") : Json.object().putArray("rules"));
        if (entry.has("aggregates")) {
            body.putObject("aggregationRule").putArray("clusterRoleSelectors").addObject().putObject("matchLabels")
                    .put(entry.path("aggregates").asText(), "true");
        }
        add(new Resource(RBAC, "clusterroles"), entry, body);
    }

    private void binding(JsonNode entry) {
        ObjectNode body = Json.object();
        body.putObject("metadata").putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
        body.putArray("subjects").addObject().put("kind", "Group").put("apiGroup", RBAC)
                .put("name", entry.path("group").asText());
        body.putObject("roleRef").put("apiGroup", RBAC).put("kind", "ClusterRole")
                .put("name", entry.path("role").asText());
        add(new Resource(RBAC, "clusterrolebindings"), entry, body);
    }

    private void add(Resource resource, JsonNode entry, ObjectNode body) {
        ObjectKey key = new ObjectKey(resource, "", entry.path("name").asText());
        if (store.find(key).isEmpty()) {
            store.create(key, body);
        }
    }
}
