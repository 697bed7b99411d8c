package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.NodePods;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Empties a node, and lets it take pods again. Every part of it comes to the same end however often it is done. */
final class NodeDrain {
    private final Drain drain;
    private final Cluster cluster;
    private final Patience patience;
    private final ObjectRef node;

    NodeDrain(Drain drain, Cluster cluster, Patience patience) {
        this.drain = drain;
        this.cluster = cluster;
        this.patience = patience;
        this.node = ObjectRef.of(ObjectType.NODE, drain.node());
    }

    /** The same with the pods that are on the node now; one that is not drained stays as it is. */
    static NodeDown ofNow(NodeDown made, Cluster cluster) throws TroubleException, InterruptedException {
        if (made.drain().isEmpty()) {
            return made;
        }
        Drain drain = made.drain().get();
        List<Drain.Pod> pods = NodePods.leaving(cluster.list(ObjectType.POD, "", ""), made.node());
        List<Drain.Pod> leave = drain.whom().of(pods);
        return new NodeDown(made.node(), made.vmid(), Optional.of(new Drain(drain.cluster(), drain.node(), leave, drain.whom(),
                drain.limit())), pods.stream().filter(p -> !leave.contains(p)).toList());
    }

    String node() {
        return drain.node();
    }

    /** True if it takes no new pods now. */
    boolean cordoned() throws TroubleException, InterruptedException {
        return object().at("/spec/unschedulable").asBoolean(false);
    }

    private JsonNode object() throws TroubleException, InterruptedException {
        return cluster.get(node).orElseThrow(() -> Refusal.missing(drain.node(), "the cluster no longer has this node",
                "See why it has gone."));
    }

    /** The boot that its kubelet reports, while it says that it is ready. */
    Optional<String> readyBoot() throws TroubleException, InterruptedException {
        JsonNode now = object();
        boolean ready = now.at("/status/conditions").valueStream().anyMatch(c -> c.path("type").asText().equals("Ready")
                && c.path("status").asText().equals("True"));
        return ready ? Optional.of(now.at("/status/nodeInfo/bootID").asText()) : Optional.empty();
    }

    /** A pod that would be lost and that nobody has agreed to; in one sentence. */
    Optional<String> surprise() throws TroubleException, InterruptedException {
        Set<String> agreed = drain.losing().stream().map(Drain.Pod::place).collect(Collectors.toSet());
        return pods().stream().filter(p -> p.loses() && !agreed.contains(p.place()) && !renewed(p)).findFirst()
                .map(p -> "pod " + p.place() + " on " + drain.node() + " is there now, and something of it would be lost");
    }

    /** One whose owner has made it anew under another name since. */
    private boolean renewed(Drain.Pod pod) {
        return !pod.owner().isEmpty() && drain.losing().stream().anyMatch(p -> p.owner().equals(pod.owner())
                && p.namespace().equals(pod.namespace()));
    }

    private List<Drain.Pod> pods() throws TroubleException, InterruptedException {
        return drain.whom().of(NodePods.leaving(cluster.list(ObjectType.POD, "", ""), drain.node()));
    }

    void empty() throws TroubleException, InterruptedException {
        cordon(true);
        Instant end = patience.in(drain.limit());
        Patience.Looks looks = patience.looks();
        while (true) {
            Optional<String> held = evict();
            List<Drain.Pod> left = pods();
            if (left.isEmpty()) {
                return;
            }
            if (patience.past(end)) {
                throw Refusal.failed(drain.node(), left.getFirst().place() + " has not left within "
                        + Spans.words(drain.limit()) + held.map(why -> ": " + why).orElse(""),
                        "Nothing was cut off, and " + drain.node() + " takes pods again as before. See what keeps that one (a "
                                + "disruption budget, a finalizer), then try again.");
            }
            looks.untilNext();
        }
    }

    /** @return why a pod may not leave yet */
    private Optional<String> evict() throws TroubleException, InterruptedException {
        Optional<String> held = Optional.empty();
        for (Drain.Pod pod : pods()) {
            Optional<String> why = cluster.evict(new ObjectRef(ObjectType.POD, pod.namespace(), pod.name()));
            held = why.isPresent() ? why : held;
        }
        return held;
    }

    void cordon(boolean off) throws TroubleException, InterruptedException {
        if (cordoned() != off) {
            ObjectNode spec = JsonNodeFactory.instance.objectNode();
            spec.putObject("spec").put("unschedulable", off ? Boolean.TRUE : null);
            cluster.patch(node, spec, "", Earnest.MAKE);
        }
    }
}
