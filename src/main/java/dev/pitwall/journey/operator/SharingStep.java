package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.consent.TakeOver;
import dev.pitwall.journey.survey.ClusterEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Shares the card among pods where that is chosen: the configuration first, then who names it, then the node. */
final class SharingStep implements Step {
    private final Settings settings;
    private final Sentences texts;
    private final ClusterGate gate;

    SharingStep(Settings settings, Sentences texts) {
        this.settings = settings;
        this.texts = texts;
        this.gate = new ClusterGate(settings, texts);
    }

    @Override
    public String id() {
        return "sharing";
    }

    @Override
    public Floor floor() {
        return Floor.PLUGIN;
    }

    @Override
    public Set<String> keys() {
        return Set.of(SharingWish.KEY, TakeOver.KEY);
    }

    @Override
    public Answer look(Situation situation) {
        return gate.before(situation).orElseGet(() ->
                look(new CardCluster(situation, situation.cluster().orElseThrow())));
    }

    private Answer look(CardCluster cluster) {
        Optional<String> chosen = SharingWish.chosen(cluster.situation());
        ClusterEvidence evidence = new ClusterEvidence(cluster.survey());
        cluster.node().ifPresent(node -> rows(node, evidence));
        if (chosen.isEmpty() || chosen.get().equals(SharingWish.NONE)) {
            return unshared(cluster, evidence, chosen.isPresent()).asking(question(chosen));
        }
        Optional<SharingWish> wish = SharingWish.of(chosen.get());
        return wish.map(w -> shared(cluster, w, evidence)).orElseGet(() -> Answer.of(State.BLOCKED,
                texts.say("sharing.bad", chosen.get(), SharingWish.MOST), evidence.rows())).asking(question(chosen));
    }

    private void rows(JsonNode node, ClusterEvidence evidence) {
        JsonNode labels = node.at("/metadata/labels");
        String strategy = labels.path("nvidia.com/gpu.sharing-strategy").asText("");
        String value = strategy.isEmpty() ? texts.say("row.sharing.unknown") : strategy.equals("none")
                ? texts.say("row.sharing.none") : texts.say("row.sharing.value", strategy,
                labels.path("nvidia.com/gpu.replicas").asText("?"));
        evidence.part(texts.say("row.sharing"), value, Mark.INFO, ObjectType.NODE, node, labels, "sharing-strategy",
                "gpu.replicas", SharingObjects.LABEL);
    }

    /** What this step has set is taken off the node again; what others have set stays. */
    private Answer unshared(CardCluster cluster, ClusterEvidence evidence, boolean chosen) {
        Optional<JsonNode> own = cluster.node().filter(n ->
                SharingWish.isOwn(n.at("/metadata/labels").path(SharingObjects.LABEL).asText("")));
        if (own.isEmpty() || !chosen) {
            return Answer.of(State.NOT_APPLICABLE, texts.say(own.isEmpty() ? "sharing.none" : "sharing.kept"),
                    evidence.rows());
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("metadata").putObject("labels").putNull(SharingObjects.LABEL);
        return Answer.ready(texts.say("sharing.off"), evidence.rows(), List.of(ManifestChange.setting(
                        cluster.survey().name(), ObjectRef.of(ObjectType.NODE, CardCluster.name(own.get())), own.get(), fields,
                        Risk.NONE, texts.say("sharing.off")))).noting(texts.say("sharing.off.note"));
    }

    private Answer shared(CardCluster cluster, SharingWish wish, ClusterEvidence evidence) {
        Optional<JsonNode> node = cluster.node();
        Optional<JsonNode> policy = Policies.counting(cluster.survey());
        if (policy.isEmpty()) {
            return cluster.standalonePlugins().isEmpty()
                    ? Answer.of(State.WAITING, texts.say("waits.operator"), evidence.rows())
                    : Obstacle.blocked(texts.say("sharing.standalone"), texts.say("sharing.standalone.next"))
                    .answer(evidence.rows());
        }
        if (node.isEmpty()) {
            return Answer.of(State.WAITING, texts.say("taint.noNode"), evidence.rows());
        }
        Optional<Obstacle> mig = mig(policy.get(), node.get(), wish);
        if (mig.isPresent()) {
            return mig.get().answer(evidence.rows());
        }
        SharingObjects objects = new SharingObjects(cluster, policy.get(), node.get(), wish, texts);
        List<Change> changes = objects.changes();
        if (changes.isEmpty()) {
            return arrived(node.get(), wish, evidence);
        }
        return Answer.ready(texts.say("sharing.ready", wish.way().value(), wish.replicas()), evidence.rows(), changes)
                .noting(notes(wish));
    }

    /** MPS is for whole cards, and slices of MIG devices have names of their own (facts: cluster.md 2). */
    private Optional<Obstacle> mig(JsonNode policy, JsonNode node, SharingWish wish) {
        String layout = node.at("/metadata/labels").path("nvidia.com/mig.config").asText("all-disabled");
        boolean mixed = policy.at("/spec/mig/strategy").asText("").equals("mixed");
        boolean cut = !layout.equals("all-disabled") || node.at("/status/capacity").propertyStream()
                .anyMatch(r -> r.getKey().startsWith("nvidia.com/mig-"));
        return cut || mixed && wish.way() == SharingWish.Way.MPS ? Optional.of(Obstacle.blocked(
                texts.say("sharing.mig." + wish.way().value()), texts.say("sharing.mig.next"))) : Optional.empty();
    }

    /** The plugin reads the node's label by itself, and advertises anew. */
    private Answer arrived(JsonNode node, SharingWish wish, ClusterEvidence evidence) {
        long cards = Math.max(1, node.at("/metadata/labels").path("nvidia.com/gpu.count").asLong(1));
        long advertised = CardCluster.report(node).allocatable().getOrDefault("nvidia.com/gpu", 0L);
        return advertised == cards * wish.replicas() ? Answer.of(State.DONE, texts.say("sharing.done", wish.way().value(),
                advertised), evidence.rows()) : Obstacle.waiting(texts.say("sharing.comes", cards * wish.replicas(), advertised),
                "plugin-shares", settings.coming("plugin")).answer(evidence.rows());
    }

    private List<String> notes(SharingWish wish) {
        List<String> notes = new ArrayList<>(List.of(texts.say("sharing.note." + wish.way().value(), wish.replicas()),
                texts.say("sharing.note.names", wish.replicas()), texts.say("sharing.note.values")));
        if (wish.way() == SharingWish.Way.TIME_SLICING) {
            notes.add(texts.say("sharing.note.requests"));
        }
        return notes;
    }

    private Question question(Optional<String> chosen) {
        // What is no way of sharing is refused, and not offered beside those that are.
        String value = chosen.filter(v -> SharingWish.of(v).isPresent()).orElse(SharingWish.NONE);
        List<Option> options = new ArrayList<>(List.of(
                new Option(SharingWish.NONE, texts.say("ask.sharing.none"), texts.say("ask.sharing.none.note")),
                new Option("time-slicing:4", texts.say("ask.sharing.time-slicing"), texts.say("ask.sharing.time-slicing.note")),
                new Option("mps:4", texts.say("ask.sharing.mps"), texts.say("ask.sharing.mps.note"))));
        if (options.stream().noneMatch(o -> o.value().equals(value))) {
            options.add(new Option(value, value, ""));
        }
        return new Question(SharingWish.KEY, texts.say("ask.sharing"), options, value);
    }
}
