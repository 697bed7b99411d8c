package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.util.Set;

/** Nothing is created in a namespace that is not there or is going, and three namespaces stay. */
final class NamespaceLifecycle implements Admission {
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private final ObjectStore store;

    NamespaceLifecycle(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void admit(Request request) {
        if (request.resource().equals(Resource.NAMESPACES)) {
            if (request.operation() == Operation.DELETE && IMMORTAL.contains(request.name())) {
                throw Pods.forbidden(request, "this namespace may not be deleted");
            }
            return;
        }
        if (request.operation() != Operation.CREATE || request.namespace().isEmpty()) {
            return;
        }
        JsonNode namespace = store.find(new ObjectKey(Resource.NAMESPACES, "", request.namespace())).map(found ->
                (JsonNode) found.tree()).orElseThrow(() -> new AdmissionRefusal(404, "NotFound", "namespaces \""
                + request.namespace() + "\" not found"));
        if (namespace.at("/status/phase").asText().equals("Terminating")
                || namespace.path("metadata").has("deletionTimestamp")) {
            throw Pods.forbidden(request, "unable to create new content in namespace " + request.namespace()
                    + " because it is being terminated");
        }
    }
}
