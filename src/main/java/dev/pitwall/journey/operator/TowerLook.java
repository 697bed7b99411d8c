package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.GpuNodes;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.OperandTower;
import dev.pitwall.card.OperandTower.Kind;
import dev.pitwall.card.OperandTower.Tier;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterEvidence;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.read.PodObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One look at the tower of operands on the card's node. */
final class TowerLook {
    private final CardCluster cluster;
    private final ClusterSurvey survey;
    private final Settings settings;
    private final Sentences texts;
    private final ClusterEvidence evidence;
    private final JsonNode node;
    private final NodeReport report;
    private final Instant now;
    private final Map<Kind, Tier> tiers = new TreeMap<>();
    private final TierJudgement judgement;

    /** @param cluster in which the card has a node */
    TowerLook(CardCluster cluster, Settings settings, Sentences texts) {
        this.cluster = cluster;
        this.survey = cluster.survey();
        this.settings = settings;
        this.texts = texts;
        this.evidence = new ClusterEvidence(survey);
        this.node = cluster.node().orElseThrow();
        this.report = CardCluster.report(node);
        this.now = evidence.at();
        List<PodReport> pods = survey.all(ObjectType.POD).stream().map(new PodObject()::read).toList();
        new OperandTower().of(survey.name(), report, pods, now).forEach(tier -> tiers.put(tier.kind(), tier));
        this.judgement = new TierJudgement(cluster, report, tiers, settings, texts, now);
    }

    Answer answer() {
        nodeRow();
        List<Kind> expected = expected();
        List<Obstacle> open = new ArrayList<>();
        expected.forEach(kind -> row(kind).ifPresent(open::add));
        Policies.counting(survey).ifPresent(this::policyRow);
        advertised();
        if (!ready()) {
            return Obstacle.waiting(texts.say("node.notReady", report.name()), "node-ready", settings.coming("node"))
                    .answer(evidence.rows());
        }
        if (expected.isEmpty()) {
            return Answer.of(State.WAITING, texts.say("waits.operator"), evidence.rows());
        }
        return told(open).map(o -> o.answer(evidence.rows())).orElseGet(this::risen);
    }

    /** What is broken explains more than what only waits; the lowest of either explains the others. */
    private static Optional<Obstacle> told(List<Obstacle> open) {
        return open.stream().filter(o -> o.state() == State.BLOCKED).findFirst().or(() -> open.stream().findFirst());
    }

    private boolean ready() {
        return report.conditions().stream().filter(c -> c.type().equals("Ready")).allMatch(c -> c.status().equals("True"));
    }

    /** The operands that this node is to have, from the bottom up; none before the stack is there. */
    private List<Kind> expected() {
        Optional<JsonNode> policy = Policies.counting(survey);
        if (policy.isEmpty()) {
            return cluster.standalonePlugins().isEmpty() ? List.of() : List.of(Kind.DISCOVERY, Kind.PLUGIN).stream()
                    .filter(k -> k != Kind.DISCOVERY || madeBy(k).isPresent()).toList();
        }
        JsonNode spec = policy.get().path("spec");
        List<Kind> expected = new ArrayList<>(List.of(Kind.DISCOVERY));
        boolean hostDriver = report.labels().getOrDefault("nvidia.com/gpu.deploy.driver", "").equals("pre-installed");
        if (spec.at("/driver/enabled").asBoolean(true) && !hostDriver) {
            expected.add(Kind.DRIVER);
        }
        if (spec.at("/toolkit/enabled").asBoolean(true)) {
            expected.add(Kind.TOOLKIT);
        }
        expected.add(Kind.VALIDATOR);
        expected.add(Kind.PLUGIN);
        if (spec.at("/gfd/enabled").asBoolean(true)) {
            expected.add(Kind.FEATURES);
        }
        return expected;
    }

    private Optional<JsonNode> madeBy(Kind kind) {
        return survey.all(ObjectType.DAEMON_SET).stream().filter(set -> kind.isMadeBy(CardCluster.name(set))).findFirst();
    }

    /** @return what keeps the operand from being up */
    private Optional<Obstacle> row(Kind kind) {
        Optional<Obstacle> open = judgement.of(kind);
        Optional<Tier> tier = Optional.ofNullable(tiers.get(kind));
        String value = open.map(Obstacle::why).orElseGet(() -> texts.say("tier.ready"));
        Mark mark = open.map(o -> o.state() == State.BLOCKED ? Mark.BAD : Mark.INFO).orElse(Mark.OK);
        String name = texts.say("tier." + kind);
        Optional<JsonNode> pod = tier.flatMap(t -> survey.one(ObjectType.POD, t.pod().namespace(), t.pod().name()));
        if (pod.isPresent()) {
            String container = tier.get().container();
            evidence.part(name, value, mark, ObjectType.POD, pod.get(), pod.get().path("status"),
                    container.isEmpty() ? "phase:" : "name: " + container, "reason:", "message:");
        } else {
            madeBy(kind).ifPresentOrElse(set -> evidence.object(name, value, mark, ObjectType.DAEMON_SET, set,
                            "desiredNumberScheduled", "numberReady"),
                    () -> evidence.listing(name, value, mark, ObjectType.DAEMON_SET.resource()));
        }
        return open;
    }

    private void nodeRow() {
        evidence.part(texts.say("row.node"), report.name() + (ready() ? "" : " · " + texts.say("row.node.notReady")),
                ready() ? Mark.OK : Mark.BAD, ObjectType.NODE, node, node.at("/status/conditions"), "Ready");
    }

    private void policyRow(JsonNode policy) {
        PolicyState state = PolicyState.of(policy);
        evidence.part(texts.say("row.policy"), state.words(), state.up() ? Mark.OK : Mark.INFO, ObjectType.CLUSTER_POLICY,
                policy, policy.path("status"), "state:", "reason:", "message:");
    }

    private void advertised() {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.set("capacity", node.at("/status/capacity"));
        shown.set("allocatable", node.at("/status/allocatable"));
        String value = report.allocatable().entrySet().stream().filter(e -> GpuNodes.isGpuResource(e.getKey()))
                .sorted(Map.Entry.comparingByKey()).map(e -> e.getKey() + ": " + e.getValue())
                .collect(Collectors.joining(", "));
        long cards = GpuNodes.sum(report.allocatable());
        evidence.part(texts.say("row.allocatable"), value.isEmpty() ? texts.say("row.allocatable.none") : value,
                cards > 0 ? Mark.OK : GpuNodes.sum(report.capacity()) > 0 ? Mark.BAD : Mark.INFO, ObjectType.NODE, node,
                shown, "nvidia.com/");
    }

    /** All operands of the node are ready: what is left is what the node advertises, and what the operator says. */
    private Answer risen() {
        long cards = GpuNodes.sum(report.allocatable());
        if (cards == 0) {
            return judgement.unadvertised().answer(evidence.rows());
        }
        Optional<PolicyState> policy = Policies.counting(survey).map(PolicyState::of).filter(p -> !p.up());
        if (policy.isPresent() && !elsewhere()) {
            return Obstacle.waiting(texts.say("policy.looks", policy.get().words()), "operator-looks",
                    settings.coming("operator")).answer(evidence.rows());
        }
        Answer done = Answer.of(State.DONE, texts.say("operands.done", report.name(), cards), evidence.rows());
        return policy.isPresent() ? done.noting(texts.say("operands.elsewhere", policy.get().message())) : done;
    }

    /** Operands of other nodes are not up, which keeps the policy from being ready and is nothing to this card. */
    private boolean elsewhere() {
        return survey.all(ObjectType.DAEMON_SET).stream().filter(StackLook::isOfPolicy).anyMatch(set ->
                set.at("/status/numberReady").asInt() < set.at("/status/desiredNumberScheduled").asInt());
    }
}
