package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

/** A pod's runtime class must be there; its overhead and where it runs are written into the pod. */
final class RuntimeClasses implements NewPods {
    private final ObjectStore store;

    RuntimeClasses(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void admit(Request request, ObjectNode spec) {
        String name = spec.path("runtimeClassName").asText("");
        if (name.isEmpty()) {
            return;
        }
        JsonNode runtime = store.find(new ObjectKey(Resource.RUNTIME_CLASSES, "", name))
                .map(found -> (JsonNode) found.tree())
                .orElseThrow(() -> Pods.forbidden(request, "pod rejected: RuntimeClass \"" + name + "\" not found"));
        if (runtime.at("/overhead/podFixed").isObject()) {
            spec.set("overhead", runtime.at("/overhead/podFixed"));
        }
        runtime.at("/scheduling/nodeSelector").properties().forEach(label ->
                select(request, spec.withObjectProperty("nodeSelector"), label.getKey(), label.getValue()));
        if (!runtime.at("/scheduling/tolerations").isEmpty()) {
            ArrayNode tolerations = spec.withArrayProperty("tolerations");
            runtime.at("/scheduling/tolerations").forEach(tolerations::add);
        }
    }

    private static void select(Request request, ObjectNode selector, String label, JsonNode value) {
        if (selector.has(label) && !selector.path(label).equals(value)) {
            throw Pods.forbidden(request, "conflict: runtimeClass.scheduling.nodeSelector[" + label + "] = "
                    + value.asText() + "; pod.spec.nodeSelector[" + label + "] = " + selector.path(label).asText());
        }
        selector.set(label, value);
    }
}
