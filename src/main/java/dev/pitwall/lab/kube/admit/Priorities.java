package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.util.Optional;

/** Turns a pod's priority class into its priority. */
final class Priorities implements NewPods {
    private final ObjectStore store;

    Priorities(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void admit(Request request, ObjectNode spec) {
        String name = spec.path("priorityClassName").asText("");
        Optional<JsonNode> chosen = name.isEmpty() ? standard()
                : Optional.of(store.find(new ObjectKey(Resource.PRIORITY_CLASSES, "", name)).map(StoredObject::tree)
                .orElseThrow(() -> Pods.forbidden(request, "no PriorityClass with name " + name + " was found")));
        chosen.filter(found -> name.isEmpty()).ifPresent(found ->
                spec.set("priorityClassName", found.at("/metadata/name")));
        int value = chosen.map(found -> found.path("value").asInt()).orElse(0);
        JsonNode asked = spec.path("priority");
        if (asked.isNumber() && asked.asInt() != value) {
            throw Pods.forbidden(request, "the integer value of priority (" + asked.asInt()
                    + ") must not be provided in pod spec; priority admission controller computed " + value
                    + " from the given PriorityClass name");
        }
        spec.put("priority", value);
        if (!spec.has("preemptionPolicy")) {
            spec.put("preemptionPolicy", chosen.map(found -> found.path("preemptionPolicy")
                    .asText("PreemptLowerPriority")).orElse("PreemptLowerPriority"));
        }
    }

    private Optional<JsonNode> standard() {
        return store.list(Resource.PRIORITY_CLASSES, "").objects().stream().map(StoredObject::tree)
                .filter(found -> found.path("globalDefault").asBoolean()).findFirst();
    }
}
