package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission.Operation;
import dev.pitwall.lab.kube.admit.Admission.Request;
import dev.pitwall.lab.kube.store.Resource;


/** What several plugins ask of a request. */
final class Pods {
    private Pods() {
    }

    /** A pod that is to be created. */
    static boolean isNew(Request request) {
        return request.resource().equals(Resource.PODS) && request.operation() == Operation.CREATE
                && request.subresource().isEmpty();
    }

    static ObjectNode spec(Request request) {
        return request.object().withObjectProperty("spec");
    }

    /** The beginning of a refusal: {@code pods "web" is forbidden: }. */
    static AdmissionRefusal forbidden(Request request, String detail) {
        String name = request.name().isEmpty() ? request.object().at("/metadata/generateName").asText("") : request.name();
        return AdmissionRefusal.forbidden(request.resource().qualified() + " \"" + name + "\" is forbidden: " + detail);
    }
}
