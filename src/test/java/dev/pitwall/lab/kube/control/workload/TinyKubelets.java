package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Binds pods, has them ready two seconds later, and needs a second to stop them. The image says what becomes of a pod:
 * {@code bad} never gets ready, {@code dead} fails, {@code done} succeeds.
 */
final class TinyKubelets implements Controller {
    static final Duration START = Duration.ofSeconds(2);
    static final Duration STOP = Duration.ofSeconds(1);

    private final ClusterHand hand;
    private final Pods pods;
    private final Nodes nodes;
    private final Map<String, Instant> dying = new HashMap<>();
    /** Nodes whose pods never stop. */
    final Set<String> hanging = new HashSet<>();

    TinyKubelets(ClusterHand hand, Pods pods, Nodes nodes) {
        this.hand = hand;
        this.pods = pods;
        this.nodes = nodes;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Pods.PODS, NodeFacts.NODES);
    }

    @Override
    public void observe(Change change) {
    }

    @Override
    public Instant act(Instant now) {
        Instant next = Instant.MAX;
        for (PodFacts pod : pods.all()) {
            Instant due = pod.deletion().isPresent() ? stop(pod, now) : run(pod, now);
            next = due.isBefore(next) ? due : next;
        }
        return next;
    }

    private Instant stop(PodFacts pod, Instant now) {
        Instant end = dying.computeIfAbsent(pod.uid(), uid -> now.plus(STOP));
        if (hanging.contains(pod.node())) {
            return Instant.MAX;
        }
        if (now.isBefore(end)) {
            return end;
        }
        hand.purge(pod.key());
        return Instant.MAX;
    }

    private Instant run(PodFacts pod, Instant now) {
        if (pod.node().isEmpty()) {
            String target = DaemonTemplate.target(pod);
            String node = target.isEmpty() ? nodes.all().iterator().next().name() : target;
            hand.change(pod.key(), tree -> ((ObjectNode) tree.path("spec")).put("nodeName", node));
            return now;
        }
        if (pod.isDone() || pod.ready()) {
            return Instant.MAX;
        }
        JsonNode spec = pod.object().tree().path("spec");
        String image = spec.at("/containers/0/image").asText();
        Instant ready = pod.created().plus(START);
        if (now.isBefore(ready)) {
            return ready;
        }
        switch (image.replaceFirst(":.*", "")) {
            case "bad" -> { }
            case "dead" -> phase(pod, "Failed");
            case "done" -> phase(pod, "Succeeded");
            default -> hand.status(pod.key(), tree -> {
                tree.withObjectProperty("status").put("phase", "Running");
                Conditions.set(tree, new Conditions.Condition("Ready", "True", "", ""), now);
            });
        }
        return Instant.MAX;
    }

    private void phase(PodFacts pod, String phase) {
        hand.status(pod.key(), tree -> tree.withObjectProperty("status").put("phase", phase));
    }
}
