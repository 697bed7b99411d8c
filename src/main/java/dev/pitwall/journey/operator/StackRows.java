package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.NodeReport.Taint;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterEvidence;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What was found of the stack of a cluster, row by row. */
final class StackRows {
    private static final int NAMED = 3;

    private final CardCluster cluster;
    private final ClusterSurvey survey;
    private final ClusterEvidence evidence;
    private final Sentences texts;

    StackRows(CardCluster cluster, ClusterEvidence evidence, Sentences texts) {
        this.cluster = cluster;
        this.survey = cluster.survey();
        this.evidence = evidence;
        this.texts = texts;
    }

    void add(Optional<Release> release, String namespace) {
        evidence.listing(texts.say("row.kubernetes"), survey.version() + " · "
                + texts.say("distribution." + survey.distribution()), Mark.INFO, "version");
        cards();
        nodes();
        release(release);
        namespace(namespace);
        discovery(release);
        policy();
        taints();
    }

    private void cards() {
        ClusterNeeds needs = ClusterNeeds.of(cluster.situation(), survey, false);
        String names = needs.cards().names();
        evidence.listing(texts.say("row.generations"), names.isEmpty() ? texts.say("row.generations.unknown") : names,
                names.isEmpty() ? Mark.ATTENTION : Mark.INFO, ObjectType.NODE.resource());
    }

    private void nodes() {
        List<String> names = cluster.cardNodes().stream().map(CardCluster::name).sorted().toList();
        String listed = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        evidence.listing(texts.say("row.nodes"), names.isEmpty() ? texts.say("row.nodes.none")
                : names.size() <= NAMED ? listed : texts.say("row.nodes.more", listed, names.size() - NAMED),
                Mark.INFO, ObjectType.NODE.resource(), names.toArray(String[]::new));
    }

    private void release(Optional<Release> release) {
        String value = release.map(r -> texts.say("row.release.value", r.namespace() + "/" + r.name(), r.chartVersion(),
                r.status(), r.revision())).orElse(texts.say("row.release.none"));
        Mark mark = release.map(r -> r.status().equals("deployed") ? Mark.OK : Mark.BAD).orElse(Mark.INFO);
        evidence.listing(texts.say("row.release"), value, mark, ClusterSurvey.RELEASES,
                release.map(r -> r.namespace() + "/" + r.name() + " ").orElse(""));
    }

    private void namespace(String namespace) {
        Optional<JsonNode> present = survey.one(ObjectType.NAMESPACE, "", namespace);
        if (present.isEmpty()) {
            evidence.listing(texts.say("row.namespace"), texts.say("row.namespace.none", namespace), Mark.INFO,
                    ObjectType.NAMESPACE.resource());
            return;
        }
        String level = Namespaces.enforced(present.get());
        evidence.object(texts.say("row.namespace"), level.isEmpty() ? texts.say("row.namespace.open", namespace)
                : texts.say("row.namespace.level", namespace, level), level.equals("privileged") ? Mark.OK
                : level.isEmpty() ? Mark.ATTENTION : Mark.BAD, ObjectType.NAMESPACE, present.get(), "pod-security");
    }

    private void discovery(Optional<Release> release) {
        String own = release.map(r -> r.namespace() + "/" + r.name()).orElse("");
        Optional<JsonNode> other = cluster.otherDiscovery(own).stream().findFirst();
        other.ifPresent(set -> evidence.object(texts.say("row.discovery"), texts.say("row.discovery.other",
                CardCluster.namespace(set) + "/" + CardCluster.name(set)), Mark.INFO, ObjectType.DAEMON_SET, set));
    }

    private void policy() {
        List<JsonNode> all = survey.all(ObjectType.CLUSTER_POLICY);
        Policies.counting(survey).ifPresent(policy -> {
            PolicyState state = PolicyState.of(policy);
            // Its spec may hold what a person has set as a driver's environment.
            evidence.part(texts.say("row.policy"), state.words(), state.up() ? Mark.OK : Mark.INFO,
                    ObjectType.CLUSTER_POLICY, policy, policy.path("status"), "state:", "reason:");
        });
        all.stream().filter(p -> p.at("/status/state").asText().equals("ignored")).forEach(p ->
                evidence.part(texts.say("row.policy.other"), texts.say("row.policy.ignored", CardCluster.name(p)),
                        Mark.ATTENTION, ObjectType.CLUSTER_POLICY, p, p.path("status"), "state:"));
    }

    private void taints() {
        cluster.node().ifPresent(node -> {
            List<Taint> taints = CardCluster.taints(node);
            evidence.object(texts.say("row.taints"), taints.isEmpty() ? texts.say("row.taints.none")
                    : CardCluster.namesOf(taints), Mark.INFO, ObjectType.NODE, node, "taints", "key:", "effect:");
        });
    }
}
