package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Floor;
import dev.pitwall.card.NodeReport.Taint;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps pods that ask for no card off the card's node, once all that has to run there tolerates it. */
final class TaintStep implements Step {
    private static final String LABEL_KEY = "node-label";

    private final Sentences texts;
    private final ClusterGate gate;

    TaintStep(Settings settings, Sentences texts) {
        this.texts = texts;
        this.gate = new ClusterGate(settings, texts);
    }

    @Override
    public String id() {
        return "taint";
    }

    @Override
    public Floor floor() {
        return Floor.DISCOVERY;
    }

    @Override
    public Set<String> keys() {
        return Set.of(TaintWish.KEY, LABEL_KEY, TakeOver.KEY);
    }

    @Override
    public Answer look(Situation situation) {
        return gate.before(situation).orElseGet(() ->
                look(new CardCluster(situation, situation.cluster().orElseThrow())));
    }

    private Answer look(CardCluster cluster) {
        TaintWish wish = TaintWish.of(cluster);
        Answer answer = cluster.node().map(node -> ofNode(cluster, node, wish)).orElseGet(() ->
                Answer.of(State.WAITING, texts.say("taint.noNode"), List.of()));
        return answer.asking(question(cluster, wish));
    }

    private Answer ofNode(CardCluster cluster, JsonNode node, TaintWish wish) {
        ClusterEvidence evidence = new ClusterEvidence(cluster.survey());
        List<Taint> taints = CardCluster.taints(node);
        evidence.part(texts.say("row.taints"), taints.isEmpty() ? texts.say("row.taints.none") : CardCluster.namesOf(taints),
                Mark.INFO, ObjectType.NODE, node, node.at("/spec/taints"), "key:", "value:", "effect:");
        Optional<String> badLabel = cluster.situation().choices().get(LABEL_KEY).filter(l -> label(l).isEmpty());
        if (badLabel.isPresent()) {
            return Answer.of(State.BLOCKED, texts.say("taint.badLabel", badLabel.get()), evidence.rows());
        }
        Optional<ObjectNode> fields = fields(cluster, node, wish);
        if (fields.isEmpty()) {
            return settled(wish, evidence);
        }
        List<Change> changes = List.of(ManifestChange.setting(cluster.survey().name(),
                ObjectRef.of(ObjectType.NODE, CardCluster.name(node)), node, fields.get(), Risk.NONE, summary(fields.get(), wish)));
        return planned(cluster, node, wish, evidence, changes);
    }

    private Answer settled(TaintWish wish, ClusterEvidence evidence) {
        if (wish.present().isPresent()) {
            String words = Tolerations.words(wish.present().get());
            Answer done = Answer.of(State.DONE, words, evidence.rows());
            return wish.present().get().equals(wish.usual()) ? done : done.noting(texts.say("taint.kept", words));
        }
        return Answer.of(State.NOT_APPLICABLE, texts.say("taint.none"), evidence.rows());
    }

    private Answer planned(CardCluster cluster, JsonNode node, TaintWish wish, ClusterEvidence evidence,
                           List<Change> changes) {
        boolean tainted = wish.present().isEmpty() && wish.wanted();
        boolean stackIsThere = Policies.counting(cluster.survey()).isPresent() || !cluster.standalonePlugins().isEmpty();
        if (tainted && !stackIsThere) {
            return Answer.waiting(texts.say("waits.operator"), evidence.rows(), changes);
        }
        Optional<String> kept = tainted ? keptAway(cluster, wish.usual()) : Optional.empty();
        if (kept.isPresent()) {
            return Obstacle.blocked(texts.say("taint.intolerant", kept.get(), Tolerations.words(wish.usual())),
                    texts.say("taint.intolerant.next")).answer(evidence.rows());
        }
        Answer answer = Answer.ready(((ManifestChange) changes.getFirst()).summary(), evidence.rows(), changes);
        return tainted ? answer.noting(notes(cluster, node, wish.usual())) : answer;
    }

    /** What has to run on the node and would be kept away by the taint. */
    private static Optional<String> keptAway(CardCluster cluster, Taint taint) {
        Optional<String> operands = Policies.counting(cluster.survey())
                .filter(p -> !new Tolerations(p.at("/spec/daemonsets/tolerations")).tolerates(taint))
                .map(CardCluster::name);
        return operands.or(() -> cluster.daemonSets(List.of("node-feature-discovery", "nfd-worker", "nvidia-device-plugin"))
                .stream().filter(set -> !StackLook.isOfPolicy(set)).filter(set -> !CardCluster.name(set).contains("topology"))
                .filter(set -> !new Tolerations(set.at("/spec/template/spec/tolerations")).tolerates(taint))
                .map(set -> CardCluster.namespace(set) + "/" + CardCluster.name(set)).findFirst());
    }

    /** Nothing is evicted; what does not tolerate the taint only does not come back. */
    private List<String> notes(CardCluster cluster, JsonNode node, Taint taint) {
        String pods = cluster.survey().all(ObjectType.POD).stream()
                .filter(p -> p.at("/spec/nodeName").asText().equals(CardCluster.name(node)))
                .filter(p -> p.at("/status/phase").asText().equals("Running"))
                .filter(p -> !new Tolerations(p.at("/spec/tolerations")).tolerates(taint))
                .map(p -> CardCluster.namespace(p) + "/" + CardCluster.name(p)).sorted().limit(5)
                .collect(Collectors.joining(", "));
        return pods.isEmpty() ? List.of(texts.say("taint.effect"))
                : List.of(texts.say("taint.effect"), texts.say("taint.stay", pods));
    }

    /** The fields of the node that differ; the list of taints is one value. */
    private static Optional<ObjectNode> fields(CardCluster cluster, JsonNode node, TaintWish wish) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        if (wish.wanted() && wish.present().isEmpty()) {
            ArrayNode taints = fields.putObject("spec").putArray("taints");
            node.at("/spec/taints").forEach(t -> taints.add(t.deepCopy()));
            Taint usual = wish.usual();
            taints.addObject().put("key", usual.key()).put("value", usual.value().orElse("")).put("effect", usual.effect());
        }
        cluster.situation().choices().get(LABEL_KEY).flatMap(TaintStep::label)
                .filter(l -> !node.at("/metadata/labels").path(l[0]).asText("").equals(l[1]))
                .ifPresent(l -> fields.putObject("metadata").putObject("labels").put(l[0], l[1]));
        return fields.isEmpty() ? Optional.empty() : Optional.of(fields);
    }

    /** @return key and value of {@code key=value} */
    private static Optional<String[]> label(String text) {
        return Optional.of(text.split("=", 2)).filter(l -> l.length == 2 && l[0].matches("([a-z0-9.-]+/)?[A-Za-z0-9._-]{1,63}")
                && l[1].matches("[A-Za-z0-9._-]{0,63}"));
    }

    private String summary(JsonNode fields, TaintWish wish) {
        String taint = fields.has("spec") ? texts.say("change.taint", Tolerations.words(wish.usual())) : "";
        String label = fields.has("metadata") ? texts.say("change.label", fields.at("/metadata/labels").properties().stream()
                .map(l -> l.getKey() + "=" + l.getValue().asText()).findFirst().orElse("")) : "";
        return taint.isEmpty() ? label : label.isEmpty() ? taint : taint + ", " + label;
    }

    private Question question(CardCluster cluster, TaintWish wish) {
        String alone = TaintWish.alone(cluster) ? " " + texts.say("ask.taint.alone") : "";
        return new Question(TaintWish.KEY, texts.say("ask.taint"), List.of(
                new Option(TaintWish.PRESENT, Tolerations.words(wish.usual()), texts.say("ask.taint.present.note") + alone),
                new Option(TaintWish.NONE, texts.say("ask.taint.none"), texts.say("ask.taint.none.note"))), wish.value());
    }
}
