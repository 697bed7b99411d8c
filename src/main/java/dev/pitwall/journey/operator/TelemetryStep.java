package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Floor;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.OperandTower;
import dev.pitwall.card.OperandTower.Kind;
import dev.pitwall.card.OperandTower.Tier;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterEvidence;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.read.PodObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Whether the card's figures are exported on its node, and whether Prometheus would find them. */
final class TelemetryStep implements Step {
    private static final List<String> EXPORTERS = List.of("dcgm-exporter");

    private final Settings settings;
    private final Sentences texts;
    private final ClusterGate gate;

    TelemetryStep(Settings settings, Sentences texts) {
        this.settings = settings;
        this.texts = texts;
        this.gate = new ClusterGate(settings, texts);
    }

    @Override
    public String id() {
        return "telemetry";
    }

    @Override
    public Floor floor() {
        return Floor.TELEMETRY;
    }

    @Override
    public Nature nature() {
        return Nature.CHECKS;
    }

    @Override
    public Answer look(Situation situation) {
        return gate.before(situation).orElseGet(() ->
                look(new CardCluster(situation, situation.cluster().orElseThrow())));
    }

    private Answer look(CardCluster cluster) {
        ClusterSurvey survey = cluster.survey();
        Optional<JsonNode> policy = Policies.counting(survey);
        boolean byPolicy = policy.filter(p -> p.at("/spec/dcgmExporter/enabled").asBoolean(true)).isPresent();
        List<JsonNode> sets = cluster.daemonSets(EXPORTERS);
        if (policy.isEmpty() && sets.isEmpty()) {
            return Stack.of(cluster.situation(), survey) == Stack.OPERATOR
                    ? Answer.of(State.WAITING, texts.say("waits.operator"), List.of())
                    : Answer.of(State.NOT_APPLICABLE, texts.say("telemetry.plugin"), List.of());
        }
        if (!byPolicy && sets.isEmpty()) {
            return Answer.of(State.NOT_APPLICABLE, texts.say("telemetry.off"), List.of());
        }
        return cluster.node().map(node -> ofNode(cluster, node)).orElseGet(() ->
                Answer.of(State.WAITING, texts.say("taint.noNode"), List.of()));
    }

    private Answer ofNode(CardCluster cluster, JsonNode node) {
        ClusterSurvey survey = cluster.survey();
        ClusterEvidence evidence = new ClusterEvidence(survey);
        NodeReport report = CardCluster.report(node);
        Map<Kind, Tier> tiers = new TreeMap<>();
        new OperandTower().of(survey.name(), report, survey.all(ObjectType.POD).stream().map(new PodObject()::read).toList(),
                evidence.at()).forEach(tier -> tiers.put(tier.kind(), tier));
        Optional<Obstacle> open = new TierJudgement(cluster, report, tiers, settings, texts, evidence.at())
                .of(Kind.TELEMETRY);
        exporter(survey, evidence, tiers, open);
        Optional<String> unheard = monitor(cluster, evidence);
        Answer answer = open.map(o -> o.answer(evidence.rows())).orElseGet(() -> Answer.of(State.DONE,
                texts.say("telemetry.done", report.name()), evidence.rows()));
        return unheard.map(answer::noting).orElse(answer);
    }

    private void exporter(ClusterSurvey survey, ClusterEvidence evidence, Map<Kind, Tier> tiers, Optional<Obstacle> open) {
        String name = texts.say("tier.TELEMETRY");
        String value = open.map(Obstacle::why).orElseGet(() -> texts.say("tier.ready"));
        Mark mark = open.map(o -> o.state() == State.BLOCKED ? Mark.BAD : Mark.INFO).orElse(Mark.OK);
        Optional<JsonNode> pod = Optional.ofNullable(tiers.get(Kind.TELEMETRY))
                .flatMap(t -> survey.one(ObjectType.POD, t.pod().namespace(), t.pod().name()));
        pod.ifPresentOrElse(p -> evidence.part(name, value, mark, ObjectType.POD, p, p.path("status"), "phase:"),
                () -> evidence.listing(name, value, mark, ObjectType.DAEMON_SET.resource(), "dcgm-exporter"));
    }

    /** @return what keeps Prometheus from finding it, where the cluster has one that looks for ServiceMonitors */
    private Optional<String> monitor(CardCluster cluster, ClusterEvidence evidence) {
        ClusterSurvey survey = cluster.survey();
        if (survey.all(ObjectType.PROMETHEUS).isEmpty()) {
            return Optional.empty();
        }
        List<JsonNode> monitors = survey.all(ObjectType.SERVICE_MONITOR).stream()
                .filter(m -> CardCluster.name(m).contains("dcgm-exporter")).toList();
        if (monitors.isEmpty()) {
            evidence.listing(texts.say("row.monitor"), texts.say("row.monitor.none"), Mark.ATTENTION,
                    ObjectType.SERVICE_MONITOR.resource());
            return Optional.of(texts.say("telemetry.noMonitor"));
        }
        List<ObjectNode> missing = new ArrayList<>();
        monitors.forEach(m -> missing.add(ServiceMonitors.missing(survey, m)));
        boolean heard = missing.stream().anyMatch(ObjectNode::isEmpty);
        String labels = missing.getFirst().properties().stream().map(l -> l.getKey() + "=" + l.getValue().asText())
                .collect(Collectors.joining(", "));
        evidence.object(texts.say("row.monitor"), heard ? texts.say("row.monitor.heard")
                : texts.say("row.monitor.unheard", labels), heard ? Mark.OK : Mark.ATTENTION, ObjectType.SERVICE_MONITOR,
                monitors.getFirst(), "labels", "release:");
        return heard ? Optional.empty() : Optional.of(texts.say("telemetry.unheard", labels));
    }
}
