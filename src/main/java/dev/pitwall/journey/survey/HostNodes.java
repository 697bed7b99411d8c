package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.YamlText;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes of the site's cluster, and the pods of those that live on one host: what is known of the cluster before any
 * step of the cluster has its turn.
 *
 * @param at      when it was read
 * @param cluster its name in the site
 * @param nodes   all of the cluster, as its API shows them
 * @param pods    those on the nodes that are VMs of the host, or the host itself
 * @param unread  why the cluster did not show them all; what it did show is here
 */
public record HostNodes(Instant at, String cluster, List<JsonNode> nodes, List<JsonNode> pods, Optional<Trouble> unread) {

    public HostNodes {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
    }

    /** What a survey of the whole cluster has of the card's node. */
    public static HostNodes of(ClusterSurvey cluster) {
        return new HostNodes(new ClusterEvidence(cluster).at(), cluster.name(), cluster.all(ObjectType.NODE),
                cluster.all(ObjectType.POD), cluster.trouble(ObjectType.NODE.resource())
                .or(() -> cluster.trouble(ObjectType.POD.resource())));
    }

    public Optional<JsonNode> node(String name) {
        return nodes.stream().filter(n -> NodeNames.of(n).equals(name)).findFirst();
    }

    /** What a node was given when it joined: its labels and taints, as the evidence of a row. */
    public Shown given(JsonNode node) {
        ObjectNode part = JsonNodeFactory.instance.objectNode();
        part.set("labels", node.at("/metadata/labels"));
        part.set("taints", node.at("/spec/taints"));
        return new Shown(new Source(Source.Kind.CLUSTER, cluster, "kubectl get node " + NodeNames.of(node) + " -o yaml"), at,
                YamlText.of(part), true);
    }

    /** Names of the nodes by SMBIOS UUID, lower case, in both byte orders. */
    public Map<String, String> byUuid() {
        return NodeNames.byUuid(nodes);
    }
}
