package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.object.PodLife;
import dev.pitwall.lab.kube.object.PodResources;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.List;
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
 * @param readySince when its Ready condition became true; empty if it is not ready
 * @param restarts  of its containers, all together
 * @param requests  what the scheduler counts: CPU in millicores, memory and storage in bytes, everything else in pieces
 */
public record PodFacts(StoredObject object, String node, String phase, boolean ready, Instant created,
                       Optional<Instant> deletion, String ownerUid, String ownerKind, Map<String, Long> requests,
                       int priority, Optional<Instant> readySince, int restarts) {

    public static PodFacts of(StoredObject object) {
        JsonNode tree = object.tree();
        JsonNode metadata = tree.path("metadata");
        JsonNode owner = Owners.controller(tree);
        String phase = tree.at("/status/phase").asText("");
        JsonNode ready = Conditions.find(tree, "Ready");
        boolean isReady = ready.path("status").asText("").equals("True");
        return new PodFacts(object, tree.at("/spec/nodeName").asText("").intern(),
                phase.isEmpty() ? "Pending" : phase.intern(), isReady,
                Instant.parse(metadata.path("creationTimestamp").asText()),
                metadata.hasNonNull("deletionTimestamp")
                        ? Optional.of(Instant.parse(metadata.path("deletionTimestamp").asText())) : Optional.empty(),
                owner.path("uid").asText(""), owner.path("kind").asText("").intern(),
                PodResources.demand(tree.path("spec")), tree.at("/spec/priority").asInt(0),
                isReady ? Optional.of(since(ready, metadata)) : Optional.empty(), restarts(tree));
    }

    private static Instant since(JsonNode condition, JsonNode metadata) {
        return Instant.parse(condition.path("lastTransitionTime").asText(metadata.path("creationTimestamp").asText()));
    }

    private static int restarts(JsonNode tree) {
        int restarts = 0;
        for (JsonNode status : tree.at("/status/containerStatuses")) {
            restarts += status.path("restartCount").asInt();
        }
        return restarts;
    }

    /** The same pod as it will be on a node it is not bound to yet. */
    public PodFacts at(String other) {
        return new PodFacts(object, other, phase, ready, created, deletion, ownerUid, ownerKind, requests, priority,
                readySince, restarts);
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
        return PodLife.isOver(phase);
    }

    /** It counts for its controller: it has not come to its end and is not about to. */
    public boolean isActive() {
        return !isDone() && deletion.isEmpty();
    }

    /** When it counts as available: ready for a while. Empty if it is not ready. */
    public Optional<Instant> availableAt(int minReadySeconds) {
        return readySince.map(since -> since.plusSeconds(minReadySeconds));
    }

    /** When the next of them counts as available that does not yet; empty if there is none. */
    public static Optional<Instant> nextAvailable(List<PodFacts> pods, int minReadySeconds, Instant now) {
        return minReadySeconds == 0 ? Optional.empty()
                : pods.stream().flatMap(pod -> pod.availableAt(minReadySeconds).stream()).filter(now::isBefore)
                        .min(Instant::compareTo);
    }

    public boolean isAvailable(int minReadySeconds, Instant now) {
        return readySince.isPresent()
                && (minReadySeconds == 0 || !readySince.get().plusSeconds(minReadySeconds).isAfter(now));
    }

    /** Its IP; empty while it has none. */
    public String address() {
        return object.fields().getOrDefault("status.podIP", "");
    }

    /** How many pieces of a resource it asks for, 0 for none. */
    public long requests(String resource) {
        return requests.getOrDefault(resource, 0L);
    }
}
