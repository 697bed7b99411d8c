package dev.pitwall.lab.kube.control.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.kube.store.Timestamp;
import dev.pitwall.lab.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes that no machine of the lab stands behind: a client made the object, or the machine has been taken away. Nobody
 * posts their status, so they become {@code Unknown}. For the others the lab's kubelets know themselves when they are
 * heard of, and write that in the node controller's name.
 */
public final class SilentNodes implements Controller {
    /** {@code --node-startup-grace-period}, for one that has never posted anything. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final World world;
    private final WorkQueue queue = new WorkQueue();
    private Set<String> machines = Set.of();

    public SilentNodes(ControlPlane plane, World world) {
        this.plane = plane;
        this.hand = plane.as("node-controller").hand();
        this.world = world;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.NODES);
    }

    @Override
    public void seen(StoredObject node) {
        queue.add(node.key());
    }

    @Override
    public Instant act(Instant now) {
        Set<String> before = machines;
        machines = world.read(w -> Set.copyOf(w.nodes.keySet()));
        before.stream().filter(name -> !machines.contains(name)).forEach(name -> queue.add(NodeFacts.key(name)));
        return queue.work(now, this::sync);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<NodeFacts> node = plane.nodes().find(key.name()).filter(found -> !machines.contains(found.name()));
        if (node.isEmpty()) {
            return;
        }
        JsonNode tree = node.get().object().tree();
        JsonNode ready = Conditions.find(tree, "Ready");
        if (ready.path("status").asText().equals("Unknown")) {
            return;
        }
        Instant silent = ready.isMissingNode()
                ? Instant.parse(tree.at("/metadata/creationTimestamp").asText()).plus(FIRST)
                : heard(key.name(), tree, ready).plus(UnheardNode.PATIENCE);
        if (silent.isAfter(now)) {
            queue.at(key, silent);
        } else {
            giveUp(node.get(), now);
        }
    }

    private Instant heard(String name, JsonNode tree, JsonNode ready) {
        Instant posted = Instant.parse(ready.path("lastHeartbeatTime")
                .asText(tree.at("/metadata/creationTimestamp").asText()));
        Instant renewed = hand.find(new ObjectKey(Resource.LEASES, "kube-node-lease", name))
                .map(lease -> lease.tree().at("/spec/renewTime").asText(""))
                .filter(time -> !time.isEmpty()).map(Instant::parse).orElse(Instant.MIN);
        return renewed.isAfter(posted) ? renewed : posted;
    }

    private void giveUp(NodeFacts node, Instant now) {
        hand.status(node.object().key(), object -> UnheardNode.write(object, now));
        hand.find(node.object().key()).ifPresent(object -> plane.events().record(
                Subject.core(object, "Node"), UnheardNode.SOURCE, Type.Normal, "NodeNotReady",
                "Node " + node.name() + " status is now: NodeNotReady", now));
        plane.pods().onNode(node.name()).stream().filter(PodFacts::ready).forEach(pod -> notReady(pod, now));
    }

    private void notReady(PodFacts pod, Instant now) {
        hand.status(pod.key(), object -> {
            for (JsonNode condition : object.at("/status/conditions")) {
                if (condition.path("type").asText().equals("Ready")) {
                    ((ObjectNode) condition).put("status", "False")
                            .put("lastTransitionTime", Timestamp.of(now));
                }
            }
        });
        plane.events().record(Subject.core(pod.object(), "Pod"), UnheardNode.SOURCE, Type.Warning, "NodeNotReady",
                "Node is not ready", now);
    }
}
