package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;

import java.util.List;
import java.util.Optional;

/**
 * Tells Kubemoot of a server, where it is installed: a ModelProvider with the server's address in the cluster (facts:
 * models.md 1.2). How much memory the card has is left to Kubemoot's own probes.
 */
final class KubemootProvider {
    private static final String DEFINITION = "modelproviders.kubemoot.ai";
    private static final String USUAL_NAMESPACE = "kubemoot";

    private final Sentences texts;
    private final ClusterSurvey cluster;

    KubemootProvider(Sentences texts, ClusterSurvey cluster) {
        this.texts = texts;
        this.cluster = cluster;
    }

    boolean installed() {
        return cluster.one(ObjectType.DEFINITION, "", DEFINITION).isPresent();
    }

    /** What has to be made for a server; empty without Kubemoot, and where it knows the server. */
    Optional<ManifestChange> missing(ObjectRef service, int port) {
        String host = service.name() + "." + service.namespace();
        List<JsonNode> there = cluster.all(ObjectType.MODEL_PROVIDER);
        boolean known = there.stream().map(p -> p.at("/spec/endpoint").asText())
                .anyMatch(e -> e.matches("https?://\\Q" + host + "\\E([.:/].*)?"));
        return known || !installed() ? Optional.empty()
                : Optional.of(ManifestChange.making(cluster.name(), new ObjectRef(ObjectType.MODEL_PROVIDER,
                namespace(there, service), service.name()), manifest(there, service, "http://" + host + ":" + port),
                texts.say("made.provider")));
    }

    private String namespace(List<JsonNode> there, ObjectRef service) {
        return there.stream().map(p -> p.at("/metadata/namespace").asText()).findFirst()
                .or(() -> cluster.one(ObjectType.NAMESPACE, "", USUAL_NAMESPACE).map(ServerWish::name))
                .orElse(service.namespace());
    }

    private JsonNode manifest(List<JsonNode> there, ObjectRef service, String endpoint) {
        ObjectNode provider = JsonNodeFactory.instance.objectNode()
                .put("apiVersion", ObjectType.MODEL_PROVIDER.apiVersion()).put("kind", "ModelProvider");
        provider.putObject("metadata").put("name", service.name()).put("namespace", namespace(there, service))
                .putObject("labels").put(ProofPods.MANAGED_BY, ProofPods.PITWALL);
        provider.putObject("spec").put("type", "ollama").put("endpoint", endpoint);
        return provider;
    }
}
