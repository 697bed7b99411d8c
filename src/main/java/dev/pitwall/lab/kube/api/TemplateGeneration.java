package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * How often a DaemonSet's template has changed. The API server counts it and no client can set it; since apps/v1 it
 * shows as an annotation. [kubernetes: pkg/registry/apps/daemonset/strategy.go]
 */
final class TemplateGeneration {
    private static final String KIND = "DaemonSet.apps";
    private static final String ANNOTATION = "deprecated.daemonset.template.generation";

    private TemplateGeneration() {
    }

    /** A new object begins with 1, unless it says that it has more behind it. */
    static void begin(ResourceType type, ObjectNode object) {
        if (type.qualifiedKind().equals(KIND)) {
            write(object, Math.max(1, read(object)));
        }
    }

    /** Both versions have their defaults. */
    static void go(ResourceType type, ObjectNode object, JsonNode before) {
        if (type.qualifiedKind().equals(KIND)) {
            boolean same = object.at("/spec/template").equals(before.at("/spec/template"));
            write(object, Math.max(1, read(before)) + (same ? 0 : 1));
        }
    }

    private static long read(JsonNode object) {
        return object.at("/metadata/annotations").path(ANNOTATION).asLong(0);
    }

    private static void write(ObjectNode object, long generation) {
        object.withObjectProperty("metadata").withObjectProperty("annotations").put(ANNOTATION,
                Long.toString(generation));
    }
}
