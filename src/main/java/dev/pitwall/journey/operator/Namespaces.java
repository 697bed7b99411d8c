package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.util.List;
import java.util.Optional;

/** The namespace of the stack, whose pods are privileged: Pod Security must let them in (facts: cluster.md 1.8). */
final class Namespaces {
    private static final String PREFIX = "pod-security.kubernetes.io/";
    private static final String PRIVILEGED = "privileged";
    private static final String ENFORCE = PREFIX + "enforce";
    /** They refuse nothing; without them each pod is a warning in the API server's log. */
    private static final List<String> QUIET = List.of(PREFIX + "audit", PREFIX + "warn");

    private Namespaces() {
    }

    static boolean lacksPrivilege(ClusterSurvey survey, String namespace) {
        return survey.one(ObjectType.NAMESPACE, "", namespace).filter(n -> !enforced(n).equals(PRIVILEGED)).isPresent();
    }

    /** The level that is enforced; empty text where none is set. */
    static String enforced(JsonNode namespace) {
        return namespace.at("/metadata/labels").path(ENFORCE).asText("");
    }

    /** Makes the namespace, or gives one that is there what it lacks; empty if it lacks nothing. */
    static Optional<ManifestChange> change(ClusterSurvey survey, String namespace, Sentences texts) {
        ObjectRef ref = ObjectRef.of(ObjectType.NAMESPACE, namespace);
        Optional<JsonNode> present = survey.one(ObjectType.NAMESPACE, "", namespace);
        if (present.isEmpty()) {
            return Optional.of(ManifestChange.making(survey.name(), ref, manifest(namespace),
                    texts.say("change.namespace.new")));
        }
        ObjectNode labels = JsonNodeFactory.instance.objectNode();
        JsonNode own = present.get().at("/metadata/labels");
        if (!enforced(present.get()).equals(PRIVILEGED)) {
            labels.put(ENFORCE, PRIVILEGED);
        }
        QUIET.stream().filter(label -> !own.has(label)).forEach(label -> labels.put(label, PRIVILEGED));
        if (labels.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("metadata").set("labels", labels);
        return Optional.of(ManifestChange.setting(survey.name(), ref, present.get(), fields, Risk.NONE,
                texts.say("change.namespace.labels")));
    }

    private static ObjectNode manifest(String namespace) {
        ObjectNode manifest = JsonNodeFactory.instance.objectNode();
        manifest.put("apiVersion", "v1").put("kind", "Namespace");
        ObjectNode metadata = manifest.putObject("metadata").put("name", namespace);
        ObjectNode labels = metadata.putObject("labels").put(ENFORCE, PRIVILEGED);
        QUIET.forEach(label -> labels.put(label, PRIVILEGED));
        return manifest;
    }
}
