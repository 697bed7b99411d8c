package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.PodFacts;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which pods a ReplicaSet gives up first: unbound ones, those that do not run or are not ready, the cheap ones
 * ({@code controller.kubernetes.io/pod-deletion-cost}), those that share a node, those ready for a shorter time, those
 * that restarted more often, the younger. [kubernetes: controller_utils.go, ActivePodsWithRanks]
 */
final class DeletionOrder {
    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");

    private DeletionOrder() {
    }

    static List<PodFacts> first(List<PodFacts> pods, int count, Instant now) {
        Map<String, Integer> onNode = new HashMap<>();
        Map<PodFacts, Integer> costs = new IdentityHashMap<>();
        pods.forEach(pod -> {
            onNode.merge(pod.node(), 1, Integer::sum);
            costs.put(pod, cost(pod));
        });
        Comparator<PodFacts> order = Comparator.<PodFacts, Boolean>comparing(pod -> !pod.node().isEmpty())
                .thenComparing(pod -> PHASES.indexOf(pod.phase()))
                .thenComparing(PodFacts::ready)
                .thenComparing(costs::get)
                .thenComparing(pod -> -onNode.get(pod.node()))
                .thenComparing(pod -> pod.readySince().orElse(now), Comparator.reverseOrder())
                .thenComparing(pod -> -pod.restarts())
                .thenComparing(PodFacts::created, Comparator.reverseOrder())
                .thenComparing(pod -> pod.key().name());
        return pods.stream().sorted(order).limit(count).toList();
    }

    private static int cost(PodFacts pod) {
        JsonNode annotation = pod.object().tree().path("metadata").path("annotations").path(COST);
        return annotation.asInt(0);
    }
}
