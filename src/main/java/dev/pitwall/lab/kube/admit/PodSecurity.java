package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.util.List;

/** Pod Security: what a namespace's labels {@code pod-security.kubernetes.io/…} enforce and warn of. */
final class PodSecurity implements Admission {
    private static final String LABEL = "pod-security.kubernetes.io/";

    private final ObjectStore store;

    PodSecurity(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void admit(Request request) {
        if (!Pods.isNew(request)) {
            return;
        }
        JsonNode labels = labels(request);
        List<String> violations = PodSecurityLevel.of(labels.path(LABEL + "enforce").asText(""))
                .violations(request.object().path("spec"));
        if (!violations.isEmpty()) {
            throw Pods.forbidden(request, "violates PodSecurity " + policy(labels, "enforce") + ": "
                    + String.join(", ", violations));
        }
    }

    /** For pods, and for what makes pods of a template. */
    List<String> warnings(Request request) {
        JsonNode spec = spec(request);
        if (spec.isMissingNode() || request.operation() == Operation.DELETE || !request.subresource().isEmpty()) {
            return List.of();
        }
        JsonNode labels = labels(request);
        List<String> violations = PodSecurityLevel.of(labels.path(LABEL + "warn").asText("")).violations(spec);
        return violations.isEmpty() ? List.of() : List.of("would violate PodSecurity " + policy(labels, "warn") + ": "
                + String.join(", ", violations));
    }

    private static JsonNode spec(Request request) {
        if (Pods.isNew(request)) {
            return request.object().path("spec");
        }
        return switch (request.resource().qualified()) {
            case "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch",
                 "replicationcontrollers" -> request.object().at("/spec/template/spec");
            case "cronjobs.batch" -> request.object().at("/spec/jobTemplate/spec/template/spec");
            default -> MissingNode.getInstance();
        };
    }

    private JsonNode labels(Request request) {
        return store.find(new ObjectKey(Resource.NAMESPACES, "", request.namespace()))
                .map(found -> found.tree().at("/metadata/labels")).orElse(MissingNode.getInstance());
    }

    private static String policy(JsonNode labels, String mode) {
        return "\"" + labels.path(LABEL + mode).asText() + ":"
                + labels.path(LABEL + mode + "-version").asText("latest") + "\"";
    }
}
