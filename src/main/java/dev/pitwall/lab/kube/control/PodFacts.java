package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What controllers ask of a pod again and again, read once from each of its versions. The rest is in {@link #object}.
 *
 * @param node      empty while it is not bound
 * @param phase     {@code Pending}, {@code Running}, {@code Succeeded} or {@code Failed}
 * @param ready     its Ready condition
 * @param deletion  its {@code deletionTimestamp}: the end of its grace
 * @param ownerUid  uid of the controller that owns it; empty for none
 * @param ownerKind for example {@code ReplicaSet}; empty for none
 * @param requests  what the scheduler counts: CPU in millicores, memory and storage in bytes, everything else in pieces
 */
public record PodFacts(StoredObject object, String node, String phase, boolean ready, Instant created,
                       Optional<Instant> deletion, String ownerUid, String ownerKind, Map<String, Long> requests,
                       int priority) {

    public static PodFacts of(StoredObject object) {
        JsonNode tree = object.tree();
        JsonNode metadata = tree.path("metadata");
        JsonNode owner = owner(metadata);
        String phase = tree.at("/status/phase").asText("");
        return new PodFacts(object, tree.at("/spec/nodeName").asText("").intern(),
                phase.isEmpty() ? "Pending" : phase.intern(), isReady(tree),
                Instant.parse(metadata.path("creationTimestamp").asText()),
                metadata.hasNonNull("deletionTimestamp")
                        ? Optional.of(Instant.parse(metadata.path("deletionTimestamp").asText())) : Optional.empty(),
                owner.path("uid").asText(""), owner.path("kind").asText("").intern(),
                PodRequests.of(tree.path("spec")), tree.at("/spec/priority").asInt(0));
    }

    private static JsonNode owner(JsonNode metadata) {
        for (JsonNode reference : metadata.path("ownerReferences")) {
            if (reference.path("controller").asBoolean()) {
                return reference;
            }
        }
        return MissingNode.getInstance();
    }

    private static boolean isReady(JsonNode tree) {
        for (JsonNode condition : tree.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    public ObjectKey key() {
        return object.key();
    }

    public String uid() {
        return object.uid();
    }

    public Map<String, String> labels() {
        return object.labels();
    }

    /** It has come to its end and holds nothing any more. */
    public boolean isDone() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** How many pieces of a resource it asks for, 0 for none. */
    public long requests(String resource) {
        return requests.getOrDefault(resource, 0L);
    }
}
