package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The server that a card is to get.
 *
 * @param form      how it is made
 * @param name      of all its objects, for this card alone
 * @param resource  by which it asks for its card
 * @param storage   the storage class; empty for the cluster's default
 * @param model     that it is to have
 */
record ServerWish(Form form, String namespace, String name, String resource, Optional<String> storage, String model) {
    static final String FORM = "server";
    static final String MODEL = "model";
    static final String NAMESPACE = "server-namespace";
    static final String STORAGE = "server-storage-class";
    static final Set<String> KEYS = Set.of(FORM, MODEL, NAMESPACE, STORAGE);
    private static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";

    /** How a server is made. */
    enum Form {
        CHART("ollama-chart"), MANIFESTS("ollama-manifests"), NONE("none");

        private final String word;

        Form(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        /** What was chosen; the chart where nothing was. */
        static Form of(Situation s) {
            return s.choices().get(FORM).flatMap(value -> List.of(values()).stream()
                    .filter(f -> f.word.equals(value)).findFirst()).orElse(CHART);
        }
    }

    static ServerWish of(Situation s, CardNode node, ProofData data) {
        return new ServerWish(Form.of(s), chosen(s, NAMESPACE).orElse(data.server().namespace()),
                "ollama-" + CardName.of(s.card()), node.offered().orElse(CardNode.CARD), chosen(s, STORAGE),
                chosen(s, MODEL).orElseGet(() -> usual(node.memoryMiB(), data).name()));
    }

    private static Optional<String> chosen(Situation s, String key) {
        return s.choices().get(key).filter(v -> !v.isBlank());
    }

    /** The first of the models that fits the card; while its memory is not known, the first. */
    static ProofData.Model usual(OptionalLong memoryMiB, ProofData data) {
        return data.models().stream().filter(m -> memoryMiB.isEmpty()
                || m.needBytes() <= data.server().fits() * memoryMiB.getAsLong() * (1 << 20)).findFirst()
                .orElse(data.models().getLast());
    }

    ObjectRef service() {
        return new ObjectRef(ObjectType.SERVICE, namespace, name);
    }

    /** The storage class that the disk would be of; empty if there is none. */
    Optional<String> storageClass(CardNode node) {
        List<JsonNode> classes = node.cluster().all(ObjectType.STORAGE_CLASS);
        return storage.isPresent() ? storage.filter(name -> classes.stream().anyMatch(c -> name(c).equals(name)))
                : classes.stream().filter(c -> c.at("/metadata/annotations").path(DEFAULT).asText("").equals("true"))
                .map(ServerWish::name).findFirst();
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }
}
