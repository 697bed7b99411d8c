package dev.pitwall.lab.kube.control.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.IntOrPercent.Rounding;
import dev.pitwall.lab.kube.object.IntOrPercent;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How many pods a disruption budget is to expect, and how many of them healthy: from the scale of what owns them. */
final class Expectation {
    private static final Map<String, Resource> SCALED = Map.of("ReplicaSet", ControlPlane.REPLICA_SETS,
            "StatefulSet", ControlPlane.STATEFUL_SETS, "Deployment", ControlPlane.DEPLOYMENTS);
    private static final Map<String, String> UNSCALED = Map.of("DaemonSet", "daemonsets.apps", "Job", "jobs.batch",
            "Node", "nodes");

    private final ControlPlane plane;
    private final Map<ObjectKey, Integer> scales = new HashMap<>();

    Expectation(ControlPlane plane) {
        this.plane = plane;
    }

    /** What came of it. */
    sealed interface Result {
    }

    record Known(int pods, int healthy) implements Result {
    }

    /** The pods' owners do not say how many they want. */
    record Failure(String why) implements Result {
    }

    /** True if a workload's scale is another than before; its status does not matter. */
    boolean hasChanged(ObjectKey workload) {
        int now = plane.objects().find(workload).map(Expectation::replicas).orElse(0);
        Integer before = scales.put(workload, now);
        return before == null || before != now;
    }

    private static int replicas(Item workload) {
        return workload.tree().at("/spec/replicas").asInt(1);
    }

    Result of(Item budget, List<PodFacts> pods) {
        JsonNode spec = budget.tree().path("spec");
        JsonNode most = spec.path("maxUnavailable");
        JsonNode least = spec.path("minAvailable");
        if (most.isMissingNode() && !least.isTextual()) {
            return least.isMissingNode() ? new Known(0, 0) : new Known(pods.size(), least.asInt());
        }
        Map<String, Integer> byOwner = new LinkedHashMap<>();
        for (PodFacts pod : pods) {
            if (pod.ownerUid().isEmpty()) {
                continue;
            }
            if (UNSCALED.containsKey(pod.ownerKind())) {
                return new Failure(UNSCALED.get(pod.ownerKind()) + " does not implement the scale subresource");
            }
            root(pod).ifPresent(owner -> byOwner.put(owner.uid(), replicas(owner)));
        }
        int expected = byOwner.values().stream().mapToInt(Integer::intValue).sum();
        return most.isMissingNode() ? new Known(expected, IntOrPercent.of(least, "0", expected, Rounding.UP))
                : new Known(expected, Math.max(0, expected - IntOrPercent.of(most, "0", expected, Rounding.UP)));
    }

    /** What decides over the scale: the Deployment of a ReplicaSet that has one. */
    private Optional<Item> root(PodFacts pod) {
        Optional<Item> owner = owner(pod.object().tree(), pod.key().namespace());
        return owner.flatMap(item -> owner(item.tree(), pod.key().namespace())).or(() -> owner);
    }

    private Optional<Item> owner(JsonNode object, String namespace) {
        JsonNode reference = Owners.controller(object);
        return Optional.ofNullable(SCALED.get(reference.path("kind").asText("")))
                .flatMap(resource -> plane.objects().find(new ObjectKey(resource, namespace,
                        reference.path("name").asText())))
                .filter(item -> item.uid().equals(reference.path("uid").asText()));
    }
}
