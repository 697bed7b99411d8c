package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;
import java.util.Optional;

/** The RuntimeClass {@code nvidia}, which the operator makes itself and the standalone plugin needs. */
final class RuntimeClasses {
    private static final ObjectRef NVIDIA = ObjectRef.of(ObjectType.RUNTIME_CLASS, PluginValues.RUNTIME_CLASS);

    private RuntimeClasses() {
    }

    /** Made anew where the standalone plugin is to name it. */
    static Optional<ManifestChange> missing(CardCluster cluster, Sentences texts) {
        boolean unread = cluster.survey().trouble(ObjectType.RUNTIME_CLASS.resource()).isPresent();
        return unread || PluginValues.hasClass(cluster) ? Optional.empty()
                : Optional.of(ManifestChange.making(cluster.survey().name(), NVIDIA, manifest(),
                texts.say("change.runtimeClass.new")));
    }

    /** On Talos one that was made for the standalone plugin is in the operator's way (facts: cluster.md 4.2). */
    static Optional<ManifestChange> leftOver(CardCluster cluster, Sentences texts) {
        if (cluster.survey().distribution() != Distribution.TALOS) {
            return Optional.empty();
        }
        return cluster.survey().one(ObjectType.RUNTIME_CLASS, "", PluginValues.RUNTIME_CLASS)
                .filter(c -> !StackLook.isOfPolicy(c)).map(c -> new ManifestChange(cluster.survey().name(), NVIDIA,
                        Optional.of(bare(c)), Optional.empty(), Risk.NONE, texts.say("change.runtimeClass.gone")));
    }

    private static ObjectNode manifest() {
        ObjectNode manifest = JsonNodeFactory.instance.objectNode();
        manifest.put("apiVersion", ObjectType.RUNTIME_CLASS.apiVersion()).put("kind", ObjectType.RUNTIME_CLASS.kind());
        manifest.putObject("metadata").put("name", PluginValues.RUNTIME_CLASS);
        manifest.put("handler", PluginValues.RUNTIME_CLASS);
        return manifest;
    }

    /** As it can be made again: without what only the API server writes. */
    private static ObjectNode bare(JsonNode present) {
        ObjectNode manifest = manifest();
        present.properties().forEach(field -> {
            if (!field.getKey().equals("metadata")) {
                manifest.set(field.getKey(), field.getValue().deepCopy());
            }
        });
        JsonNode labels = present.at("/metadata/labels");
        if (labels.isObject()) {
            manifest.withObjectProperty("metadata").set("labels", labels.deepCopy());
        }
        return manifest;
    }
}
