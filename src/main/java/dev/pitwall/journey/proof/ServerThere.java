package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PodReport;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.read.PodObject;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A model server that runs on the card's node and holds a card of it.
 *
 * @param service in front of it
 * @param port    of the service
 * @param software by its image, for example {@code ollama}
 * @param pod     as it is now
 * @param card    the card that Pitwall made it for; empty for a server of others
 */
record ServerThere(ObjectRef service, int port, String software, PodReport pod, Optional<String> card) {
    static final String OLLAMA = "ollama";
    /** The program by a part of the image's name (facts: cluster.md 9; models.md 5.3, 5.4). */
    private static final Map<String, String> IMAGES = Map.of("ollama/ollama", OLLAMA, "ggml-org/llama.cpp",
            "llama-server", "llama-server", "llama-server", "llama-swap", "llama-swap");

    /** All of a node. */
    static List<ServerThere> of(CardNode node) {
        return node.cluster().all(ObjectType.POD).stream().filter(ServerThere::isServer)
                .flatMap(pod -> server(node, pod).stream()).toList();
    }

    /** True for a pod that runs a model server, by its image or its label. */
    static boolean isServer(JsonNode pod) {
        return software(pod).isPresent();
    }

    private static Optional<String> software(JsonNode pod) {
        for (JsonNode container : pod.at("/spec/containers")) {
            String image = container.path("image").asText();
            Optional<String> known = IMAGES.keySet().stream().filter(image::contains).findFirst().map(IMAGES::get);
            if (known.isPresent()) {
                return known;
            }
        }
        return Optional.of(OLLAMA).filter(o -> pod.at("/metadata/labels/app.kubernetes.io~1name").asText("").equals(o));
    }

    private static Optional<ServerThere> server(CardNode node, JsonNode object) {
        PodReport pod = new PodObject().read(object);
        if (!pod.holdsResources() || pod.node().filter(node.name()::equals).isEmpty() || pod.gpuRequests().isEmpty()) {
            return Optional.empty();
        }
        Optional<String> card = Optional.of(object.at("/metadata/labels").path(ProofPods.CARD).asText(""))
                .filter(c -> !c.isEmpty());
        return node.cluster().all(ObjectType.SERVICE).stream()
                .filter(s -> s.at("/metadata/namespace").asText().equals(pod.namespace()))
                .filter(s -> selects(s.at("/spec/selector"), object.at("/metadata/labels"))).findFirst()
                .map(s -> new ServerThere(new ObjectRef(ObjectType.SERVICE, pod.namespace(),
                        s.at("/metadata/name").asText()), s.at("/spec/ports/0/port").asInt(),
                        software(object).orElse(OLLAMA), pod, card));
    }

    private static boolean selects(JsonNode selector, JsonNode labels) {
        return !selector.isEmpty() && selector.propertyStream().allMatch((Map.Entry<String, JsonNode> label) ->
                labels.path(label.getKey()).equals(label.getValue()));
    }

    /**
     * The one of this card: that which was made for it, else one of others. On a node of several cards those of others
     * count only if no card is left without: Kubernetes does not tell which card a pod was given.
     */
    static Optional<ServerThere> ofCard(Situation s, CardNode node) {
        List<ServerThere> all = of(node);
        String card = CardName.of(s.card());
        Stream<ServerThere> others = all.size() >= node.cards() ? all.stream().filter(t -> t.card().isEmpty())
                : Stream.empty();
        return Stream.concat(all.stream().filter(t -> t.card().filter(card::equals).isPresent()), others).findFirst();
    }
}
