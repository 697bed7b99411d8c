package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.util.List;

/**
 * Pod Security: what a namespace's labels {@code pod-security.kubernetes.io/…} enforce and warn of, or else what the API
 * server is configured for.
 */
final class PodSecurity implements Admission {
    private static final String LABEL = "pod-security.kubernetes.io/";

    private final ObjectStore store;
    private final PodSecurityDefaults defaults;

    PodSecurity(ObjectStore store, PodSecurityDefaults defaults) {
        this.store = store;
        this.defaults = defaults;
    }

    @Override
    public void admit(Request request) {
        if (!Pods.isNew(request) || defaults.exempt().contains(request.namespace())) {
            return;
        }
        JsonNode labels = labels(request);
        String level = labels.path(LABEL + "enforce").asText(defaults.enforce());
        List<String> violations = PodSecurityLevel.of(level).violations(request.object().path("spec"));
        if (!violations.isEmpty()) {
            throw Pods.forbidden(request, "violates PodSecurity " + policy(labels, "enforce", level) + ": "
                    + String.join(", ", violations));
        }
    }

    /** For pods, and for what makes pods of a template. */
    List<String> warnings(Request request) {
        JsonNode spec = spec(request);
        if (spec.isMissingNode() || request.operation() == Operation.DELETE || !request.subresource().isEmpty()
                || defaults.exempt().contains(request.namespace())) {
            return List.of();
        }
        JsonNode labels = labels(request);
        String level = labels.path(LABEL + "warn").asText(defaults.warn());
        List<String> violations = PodSecurityLevel.of(level).violations(spec);
        return violations.isEmpty() ? List.of() : List.of("would violate PodSecurity "
                + policy(labels, "warn", level) + ": " + String.join(", ", violations));
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

    private static String policy(JsonNode labels, String mode, String level) {
        return "\"" + level + ":" + labels.path(LABEL + mode + "-version").asText("latest") + "\"";
    }
}
