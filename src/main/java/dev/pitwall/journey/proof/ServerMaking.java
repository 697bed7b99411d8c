package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey.Charts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is made so that a card has a server: its namespace, the server, and its entry in Kubemoot. */
final class ServerMaking {
    private final Sentences texts;
    private final ProofData data;
    private final Situation situation;
    private final CardNode node;
    private final ServerWish wish;

    ServerMaking(Sentences texts, ProofData data, Situation situation, CardNode node, ServerWish wish) {
        this.texts = texts;
        this.data = data;
        this.situation = situation;
        this.node = node;
        this.wish = wish;
    }

    /** Why it cannot be made, in one sentence with what to do. */
    Optional<String> hindrance() {
        if (wish.storageClass(node).isEmpty()) {
            return Optional.of(wish.storage().map(name -> texts.say("server.noClass", name))
                    .orElseGet(() -> texts.say("server.noDefaultClass")));
        }
        if (wish.form() == ServerWish.Form.CHART && charts().isEmpty()) {
            Trouble why = node.cluster().unread().get(data.server().chart());
            return Optional.of(why == null ? texts.say("server.noChart", data.server().chart())
                    : texts.say("server.chartUnread", why.sentence()));
        }
        return Optional.empty();
    }

    private Optional<Charts> charts() {
        return Optional.ofNullable(node.cluster().charts().get(data.server().chart()));
    }

    /** Only where nothing hinders. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        if (node.cluster().one(ObjectType.NAMESPACE, "", wish.namespace()).isEmpty()) {
            changes.add(namespace());
        }
        switch (wish.form()) {
            case CHART -> changes.add(release(charts().orElseThrow()));
            case MANIFESTS -> changes.addAll(new OllamaObjects(texts, situation, node, wish, data.server()).changes());
            case NONE -> { }
        }
        new KubemootProvider(texts, node.cluster()).missing(wish.service(), data.server().port())
                .ifPresent(changes::add);
        return changes;
    }

    private Change namespace() {
        ObjectNode namespace = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", wish.namespace()).putObject("labels")
                .put(ProofPods.MANAGED_BY, ProofPods.PITWALL).put("pod-security.kubernetes.io/enforce", "baseline");
        return ManifestChange.making(node.cluster().name(), ObjectRef.of(ObjectType.NAMESPACE, wish.namespace()), namespace,
                texts.say("made.namespace"));
    }

    private Change release(Charts chart) {
        OllamaValues values = new OllamaValues(texts, situation, node, wish, data.server());
        return new HelmChange(node.cluster().name(), wish.namespace(), wish.name(), Optional.empty(),
                Optional.of(new HelmChange.Wanted(chart.file().name(), chart.file().version(), chart.repository(),
                        Optional.empty(), values.tree())), values.lines(chart.file().values()), HelmChange.Traces.NONE,
                ProofData.seconds(data.server().usual()), ProofData.seconds(data.server().limit()));
    }
}
