package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;

/** Defaults that depend on other fields. */
final class PodDefaults {

    private PodDefaults() {
    }

    /** Called for each object of a type once what is in it has its defaults. */
    static void after(ObjectNode object, String type) {
        switch (type) {
            case "core/v1.Container" -> pullPolicy(object);
            case "core/v1.Pod" -> pod(object);
            case "core/v1.PodSpec" -> {
                if (object.has("serviceAccountName") && !object.has("serviceAccount")) {
                    object.put("serviceAccount", object.path("serviceAccountName").asText());
                }
            }
            case "core/v1.ServicePort" -> {
                if (!object.has("targetPort") && object.has("port")) {
                    object.set("targetPort", object.get("port"));
                }
            }
            default -> { }
        }
    }

    /** What a pod has and the template of one has not. [kubernetes: pkg/apis/core/v1/defaults.go, SetDefaults_Pod] */
    private static void pod(ObjectNode pod) {
        if (!(pod.get("spec") instanceof ObjectNode spec)) {
            return;
        }
        if (!spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                if (container instanceof ObjectNode object) {
                    requests(object);
                    hostPorts(spec, object);
                }
            }
        }
    }

    /** A tag of {@code latest}, or none, is pulled each time; anything else only where it is not there. */
    private static void pullPolicy(ObjectNode container) {
        String image = container.path("image").asText("");
        if (container.has("imagePullPolicy") || image.isEmpty()) {
            return;
        }
        String last = image.substring(image.lastIndexOf('/') + 1);
        boolean digest = last.contains("@");
        String tag = last.contains(":") ? last.substring(last.lastIndexOf(':') + 1) : "latest";
        container.put("imagePullPolicy", !digest && tag.equals("latest") ? "Always" : "IfNotPresent");
    }

    /** What is limited and not asked for is asked for. */
    private static void requests(ObjectNode container) {
        JsonNode limits = container.at("/resources/limits");
        if (limits.isEmpty()) {
            return;
        }
        ObjectNode requests = container.withObjectProperty("resources").withObjectProperty("requests");
        limits.properties().forEach(limit -> {
            if (!requests.has(limit.getKey())) {
                requests.set(limit.getKey(), limit.getValue());
            }
        });
    }

    private static void hostPorts(ObjectNode spec, ObjectNode container) {
        if (!spec.path("hostNetwork").asBoolean()) {
            return;
        }
        for (JsonNode port : container.path("ports")) {
            if (port instanceof ObjectNode open && !open.has("hostPort")) {
                open.set("hostPort", open.path("containerPort"));
            }
        }
    }
}
