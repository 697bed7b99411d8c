package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Resource;
import java.util.Optional;

/** One admission plugin. Safe for any number of threads. */
@FunctionalInterface
public interface Admission {

    /**
     * Looks at an object that is to be created, updated or deleted; may change {@link Request#object} in place.
     *
     * @throws AdmissionRefusal if the object must not be kept
     */
    void admit(Request request);

    /** What is asked. */
    enum Operation {
        CREATE, UPDATE, DELETE
    }

    /**
     * @param object    the object as it would be kept; for a deletion as it is
     * @param before    what is there now, not to be changed; empty for a creation
     * @param subresource empty, or for example {@code status} or {@code scale}
     * @param user      name of who asks, for example {@code system:serviceaccount:kube-system:daemon-set-controller}
     */
    record Request(Resource resource, Operation operation, String namespace, String name, String subresource,
                   ObjectNode object, Optional<JsonNode> before, String user) {
    }
}
