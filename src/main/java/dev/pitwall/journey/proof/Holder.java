package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PodReport;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun.Pause;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.read.PodObject;

import java.util.List;
import java.util.Optional;

/**
 * A pod that holds cards of a node: bound to it and not finished; one that is on its way out counts until it is gone
 * (facts: cluster.md 7.1).
 *
 * @param cards how many of the resource it holds
 * @param card  the card that it proves, as a label has it; empty if it is none of Pitwall's proofs
 * @param pause what would stop it; empty where nothing stops it in a way that can be taken back
 */
record Holder(PodReport pod, long cards, Optional<String> card, Optional<Pause> pause) {

    /** Those of a node, oldest name first. */
    static List<Holder> of(CardNode node, String resource) {
        return node.cluster().all(ObjectType.POD).stream().map(pod -> holder(node.cluster(), resource, pod))
                .filter(h -> h.cards > 0 && h.pod.holdsResources()
                        && h.pod.node().filter(node.name()::equals).isPresent()).toList();
    }

    private static Holder holder(ClusterSurvey cluster, String resource, JsonNode object) {
        PodReport pod = new PodObject().read(object);
        Optional<String> card = Optional.of(object.at("/metadata/labels").path(ProofPods.CARD).asText(""))
                .filter(c -> !c.isEmpty() && ProofPods.isProof(object));
        return new Holder(pod, pod.gpuRequests().getOrDefault(resource, 0L), card,
                workload(object, pod).flatMap(w -> pause(cluster, w)));
    }

    /** The workload whose number of replicas decides whether a pod is there; empty if another kind of owner does. */
    static Optional<ObjectRef> workload(JsonNode object, PodReport pod) {
        String hash = object.at("/metadata/labels/pod-template-hash").asText("");
        return pod.owner().flatMap(owner -> {
            String name = owner.substring(owner.indexOf('/') + 1);
            return switch (owner.substring(0, owner.indexOf('/'))) {
                case "ReplicaSet" -> hash.isEmpty() || !name.endsWith("-" + hash) ? Optional.empty()
                        : Optional.of(new ObjectRef(ObjectType.DEPLOYMENT, pod.namespace(),
                        name.substring(0, name.length() - hash.length() - 1)));
                case "StatefulSet" -> Optional.of(new ObjectRef(ProofTypes.STATEFUL_SET, pod.namespace(), name));
                default -> Optional.empty();
            };
        });
    }

    /** What another controller owns would be started again at once. */
    private static Optional<Pause> pause(ClusterSurvey cluster, ObjectRef workload) {
        return cluster.one(workload.type(), workload.namespace(), workload.name())
                .filter(w -> w.at("/metadata/ownerReferences").isEmpty())
                .map(w -> new Pause(workload, w.at("/spec/replicas").asInt(1))).filter(p -> p.replicas() > 0);
    }

    /** For example {@code llm/ollama-a-5d4f (Deployment ollama-a)}. */
    String words() {
        return pod.namespace() + "/" + pod.name()
                + pause.map(p -> " (" + p.workload().type().kind() + " " + p.workload().name() + ")")
                .or(() -> pod.owner().map(o -> " (" + o.replace('/', ' ') + ")")).orElse("");
    }
}
