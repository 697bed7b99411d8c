package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Empties a node before it reboots, as {@code kubectl drain --ignore-daemonsets --delete-emptydir-data} does, and lets it
 * take pods again. Pods of DaemonSets and of the kubelet itself stay: they would only come back.
 */
final class NodeDrain {
    /** Pods with a long grace, and budgets that need another pod to be ready first. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Cluster cluster;
    private final String node;
    private final Patience patience;

    NodeDrain(Cluster cluster, String node, Patience patience) {
        this.cluster = cluster;
        this.node = node;
        this.patience = patience;
    }

    /** True if the scheduler leaves it out. */
    boolean closed() throws TroubleException, InterruptedException {
        return object().filter(o -> o.at("/spec/unschedulable").asBoolean()).isPresent();
    }

    boolean ready() throws TroubleException, InterruptedException {
        return object().filter(o -> o.at("/status/conditions").valueStream().anyMatch(c ->
                c.path("type").asText().equals("Ready") && c.path("status").asText().equals("True"))).isPresent();
    }

    private Optional<JsonNode> object() throws TroubleException, InterruptedException {
        return cluster.get(ObjectRef.of(ObjectType.NODE, node));
    }

    void open() throws TroubleException, InterruptedException {
        schedulable(JsonNodeFactory.instance.objectNode().putNull("unschedulable"));
    }

    /** @throws TroubleException naming a pod that does not leave; the node is left closed to new pods then */
    void empty() throws TroubleException, InterruptedException {
        schedulable(JsonNodeFactory.instance.objectNode().put("unschedulable", true));
        Instant end = patience.in(LIMIT);
        while (true) {
            List<JsonNode> left = pods();
            if (left.isEmpty()) {
                return;
            }
            if (patience.past(end)) {
                throw Refusal.failed("pod " + name(left.getFirst()).name() + " in " + name(left.getFirst()).namespace(),
                        "it does not leave " + node + " within " + Spans.words(LIMIT),
                        "See what keeps it (a disruption budget, a finalizer), or go without draining: drain=no.");
            }
            for (JsonNode pod : left) {
                if (pod.at("/metadata/deletionTimestamp").isMissingNode()) {
                    cluster.evict(name(pod));
                }
            }
            patience.untilNextLook();
        }
    }

    private void schedulable(ObjectNode spec) throws TroubleException, InterruptedException {
        cluster.patch(ObjectRef.of(ObjectType.NODE, node), JsonNodeFactory.instance.objectNode().set("spec", spec), "",
                Earnest.MAKE);
    }

    private List<JsonNode> pods() throws TroubleException, InterruptedException {
        return cluster.list(ObjectType.POD, "", "").stream()
                .filter(pod -> pod.at("/spec/nodeName").asText().equals(node) && !ended(pod) && !stays(pod)).toList();
    }

    private static boolean ended(JsonNode pod) {
        String phase = pod.at("/status/phase").asText();
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private static boolean stays(JsonNode pod) {
        return pod.at("/metadata/annotations").has("kubernetes.io/config.mirror")
                || pod.at("/metadata/ownerReferences").valueStream().anyMatch(owner ->
                owner.path("kind").asText().equals("DaemonSet") && owner.path("controller").asBoolean());
    }

    private static ObjectRef name(JsonNode pod) {
        return new ObjectRef(ObjectType.POD, pod.at("/metadata/namespace").asText(), pod.at("/metadata/name").asText());
    }
}
