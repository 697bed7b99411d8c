package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.GpuNodes;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.NodeReport.Taint;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.read.NodeObject;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cluster as one card sees it: its node, the other nodes with cards, and who is to run on them.
 *
 * @param survey what the cluster showed
 */
record CardCluster(Situation situation, ClusterSurvey survey) {

    /** The card's node; empty while the cluster has none for it. */
    Optional<JsonNode> node() {
        return situation.nodeName().flatMap(survey::node);
    }

    Optional<NodeReport> nodeReport() {
        return node().map(CardCluster::report);
    }

    static NodeReport report(JsonNode node) {
        return new NodeObject().read(node).report();
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    static String namespace(JsonNode object) {
        return object.at("/metadata/namespace").asText("");
    }

    List<JsonNode> nodes() {
        return survey.all(ObjectType.NODE);
    }

    /** The nodes with cards, as their labels say, and the card's own. */
    List<JsonNode> cardNodes() {
        Optional<String> own = situation.nodeName();
        return nodes().stream().filter(node -> own.equals(Optional.of(name(node))) || hasCard(node)).toList();
    }

    static boolean hasCard(JsonNode node) {
        return GpuNodes.hasGpu(report(node));
    }

    static List<Taint> taints(JsonNode node) {
        return report(node).taints();
    }

    /** The taints that the operands meet on the nodes with cards, and the one that the card's node is to get. */
    Set<Taint> met() {
        Set<Taint> met = new LinkedHashSet<>();
        cardNodes().forEach(node -> taints(node).stream().filter(Tolerations::repels).forEach(met::add));
        TaintWish.of(this).taint().ifPresent(met::add);
        return met;
    }

    /**
     * The taints to tolerate so that a pod with these tolerations finds a node: those of the node that asks for least.
     *
     * @return empty if it finds one already
     */
    List<Taint> inTheWay(Tolerations tolerations) {
        Optional<Taint> coming = TaintWish.of(this).taint();
        Optional<String> own = situation.nodeName();
        return nodes().stream().filter(node -> !node.at("/spec/unschedulable").asBoolean(false))
                .map(node -> tolerations.untolerated(Stream.concat(taints(node).stream(), coming.filter(t ->
                        own.equals(Optional.of(name(node)))).stream()).toList()))
                .min((a, b) -> Integer.compare(a.size(), b.size())).orElse(List.of());
    }

    /** DaemonSets whose name has one of these texts, wherever they are. */
    List<JsonNode> daemonSets(Collection<String> names) {
        return survey.all(ObjectType.DAEMON_SET).stream().filter(set -> names.stream().anyMatch(name(set)::contains)).toList();
    }

    /** The release that an object belongs to, as Helm notes it on what it makes. */
    static Optional<String> release(JsonNode object) {
        JsonNode annotations = object.at("/metadata/annotations");
        String name = annotations.path("meta.helm.sh/release-name").asText("");
        String namespace = annotations.path("meta.helm.sh/release-namespace").asText("");
        return name.isEmpty() ? Optional.empty() : Optional.of(namespace + "/" + name);
    }

    /** NFD that somebody else than this release runs. */
    List<JsonNode> otherDiscovery(String release) {
        return daemonSets(List.of("node-feature-discovery", "nfd-worker")).stream()
                .filter(set -> !name(set).contains("topology"))
                .filter(set -> !release(set).equals(Optional.of(release))).toList();
    }

    /** Device plugins that no operator runs: an operator owns its DaemonSets. */
    List<JsonNode> standalonePlugins() {
        return daemonSets(List.of("nvidia-device-plugin")).stream().filter(set -> set.at("/metadata/ownerReferences")
                .valueStream().noneMatch(owner -> owner.path("kind").asText().equals("ClusterPolicy"))).toList();
    }

    /** For example {@code nvidia.com/gpu=present:NoSchedule}. */
    static String namesOf(Collection<Taint> taints) {
        return taints.stream().map(Tolerations::words).collect(Collectors.joining(", "));
    }
}
