package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The objects that share the cards of one node, in the order in which they may be made: a policy that names a ConfigMap
 * which is not there keeps the plugin's pods from starting (facts: cluster.md 2).
 */
final class SharingObjects {
    static final String LABEL = "nvidia.com/device-plugin.config";
    private static final String OWN_NAME = "pitwall-sharing";
    private static final String PLUGIN = "nvidia-device-plugin-daemonset";
    private static final String RESTARTED = "pitwall.dev/sharing";
    private static final int HASH = 12;

    private final ClusterSurvey survey;
    private final JsonNode policy;
    private final JsonNode node;
    private final SharingWish wish;
    private final Sentences texts;
    private final String namespace;
    private final String name;

    SharingObjects(CardCluster cluster, JsonNode policy, JsonNode node, SharingWish wish, Sentences texts) {
        this.survey = cluster.survey();
        this.policy = policy;
        this.node = node;
        this.wish = wish;
        this.texts = texts;
        this.namespace = policy.at("/status/namespace").asText("gpu-operator");
        String named = policy.at("/spec/devicePlugin/config/name").asText("");
        this.name = named.isEmpty() ? OWN_NAME : named;
    }

    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        configMap().ifPresent(changes::add);
        policy().ifPresent(changes::add);
        restart().ifPresent(changes::add);
        label().ifPresent(changes::add);
        return changes;
    }

    private Optional<JsonNode> present() {
        return survey.one(ObjectType.CONFIG_MAP, namespace, name);
    }

    private Optional<ManifestChange> configMap() {
        ObjectRef ref = new ObjectRef(ObjectType.CONFIG_MAP, namespace, name);
        Optional<JsonNode> present = present();
        if (present.isEmpty()) {
            ObjectNode manifest = JsonNodeFactory.instance.objectNode();
            manifest.put("apiVersion", "v1").put("kind", "ConfigMap");
            manifest.putObject("metadata").put("name", name).put("namespace", namespace);
            manifest.putObject("data").put(wish.configuration(), wish.text());
            return Optional.of(ManifestChange.making(survey.name(), ref, manifest, texts.say("change.sharing.new",
                    wish.configuration())));
        }
        if (present.get().at("/data").path(wish.configuration()).asText("").equals(wish.text())) {
            return Optional.empty();
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("data").put(wish.configuration(), wish.text());
        return Optional.of(ManifestChange.setting(survey.name(), ref, present.get(), fields, Risk.NONE,
                texts.say("change.sharing.entry", wish.configuration())));
    }

    /** Without a default nothing changes for a node until its label names a configuration. */
    private Optional<ManifestChange> policy() {
        if (policy.at("/spec/devicePlugin/config/name").asText("").equals(name)) {
            return Optional.empty();
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("spec").putObject("devicePlugin").putObject("config").put("name", name);
        return Optional.of(ManifestChange.setting(survey.name(), ObjectRef.of(ObjectType.CLUSTER_POLICY,
                CardCluster.name(policy)), policy, fields, Risk.RESTARTS_PODS, texts.say("change.sharing.policy", name)));
    }

    /** An entry that was there with another content was read already, and is not read again by itself. */
    private Optional<ManifestChange> restart() {
        boolean edited = present().filter(p -> p.at("/data").has(wish.configuration())
                && !p.at("/data").path(wish.configuration()).asText().equals(wish.text())).isPresent();
        Optional<JsonNode> plugin = survey.one(ObjectType.DAEMON_SET, namespace, PLUGIN);
        if (!edited || plugin.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("spec").putObject("template").putObject("metadata").putObject("annotations")
                .put(RESTARTED, Content.of(wish.text()).digest().substring(0, HASH));
        return Optional.of(ManifestChange.setting(survey.name(), new ObjectRef(ObjectType.DAEMON_SET, namespace, PLUGIN),
                plugin.get(), fields, Risk.RESTARTS_PODS, texts.say("change.sharing.restart")));
    }

    private Optional<ManifestChange> label() {
        if (node.at("/metadata/labels").path(LABEL).asText("").equals(wish.configuration())) {
            return Optional.empty();
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("metadata").putObject("labels").put(LABEL, wish.configuration());
        return Optional.of(ManifestChange.setting(survey.name(), ObjectRef.of(ObjectType.NODE, CardCluster.name(node)), node,
                fields, Risk.NONE, texts.say("change.label", LABEL + "=" + wish.configuration())));
    }
}
