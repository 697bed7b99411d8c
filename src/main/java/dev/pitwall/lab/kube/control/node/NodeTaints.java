package dev.pitwall.lab.kube.control.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Taint.Effect;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The taints of nodes that follow from their conditions and from being cordoned. Those that keep pods out are written at
 * once; those that drive pods out only as fast as the zone's state allows. [kubernetes: node_lifecycle_controller.go]
 */
public final class NodeTaints implements Controller {
    static final String NOT_READY = "node.kubernetes.io/not-ready";
    static final String UNREACHABLE = "node.kubernetes.io/unreachable";
    private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
    /** Taints by the condition that has to be true for them. */
    private static final String[][] PRESSURES = {{"MemoryPressure", "node.kubernetes.io/memory-pressure"},
            {"DiskPressure", "node.kubernetes.io/disk-pressure"}, {"PIDPressure", "node.kubernetes.io/pid-pressure"},
            {"NetworkUnavailable", "node.kubernetes.io/network-unavailable"}};
    /** Only those are this controller's; whatever else an administrator has put there stays. */
    private static final Set<String> OWN = Set.of(NOT_READY, UNREACHABLE, UNSCHEDULABLE,
            "node.kubernetes.io/memory-pressure", "node.kubernetes.io/disk-pressure",
            "node.kubernetes.io/pid-pressure", "node.kubernetes.io/network-unavailable");

    private final ControlPlane plane;
    private final ClusterHand hand;
    private final Zones zones;
    private final WorkQueue queue = new WorkQueue();

    public NodeTaints(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.as("node-controller").hand();
        this.zones = new Zones(plane.nodes());
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(NodeFacts.NODES);
    }

    @Override
    public void observe(Change change) {
        Nodes.News news = plane.nodes().news();
        news.now().ifPresent(node -> queue.add(NodeFacts.key(node.name())));
        boolean turned = !news.before().map(NodeFacts::ready).equals(news.now().map(NodeFacts::ready));
        if (turned) {
            // What may happen to the others depends on how many of them are ready.
            plane.nodes().all().stream().filter(other -> !other.isReady())
                    .forEach(other -> queue.add(NodeFacts.key(other.name())));
        }
    }

    @Override
    public Instant act(Instant now) {
        return queue.work(now, this::sync);
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<NodeFacts> found = plane.nodes().find(key.name());
        if (found.isEmpty()) {
            return;
        }
        NodeFacts node = found.get();
        Set<String> keepOut = keepOut(node);
        Set<String> driveOut = driveOut(node, now);
        if (!keepOut.equals(has(node, Effect.NoSchedule)) || !driveOut.equals(has(node, Effect.NoExecute))) {
            hand.change(key, object -> {
                write(object, Effect.NoSchedule, keepOut, now);
                write(object, Effect.NoExecute, driveOut, now);
                if (object.at("/spec/taints").isEmpty()) {
                    ((ObjectNode) object.path("spec")).remove("taints");
                }
            });
        }
    }

    private static Set<String> keepOut(NodeFacts node) {
        Set<String> wanted = new LinkedHashSet<>();
        JsonNode tree = node.object().tree();
        JsonNode ready = Conditions.find(tree, "Ready");
        if (ready.path("status").asText().equals("False")) {
            wanted.add(NOT_READY);
        } else if (ready.path("status").asText().equals("Unknown")) {
            wanted.add(UNREACHABLE);
        }
        for (String[] pressure : PRESSURES) {
            if (Conditions.isTrue(tree, pressure[0])) {
                wanted.add(pressure[1]);
            }
        }
        if (node.unschedulable()) {
            wanted.add(UNSCHEDULABLE);
        }
        return wanted;
    }

    private Set<String> driveOut(NodeFacts node, Instant now) {
        Set<String> has = has(node, Effect.NoExecute);
        JsonNode ready = Conditions.find(node.object().tree(), "Ready");
        if (ready.isMissingNode() || node.isReady()) {
            return ready.isMissingNode() ? has : Set.of();
        }
        Set<String> wanted = Set.of(node.ready().equals("False") ? NOT_READY : UNREACHABLE);
        if (zones.allDown()) {
            return Set.of();
        }
        Optional<Instant> turn = has.isEmpty() ? zones.turn(node, now) : Optional.of(now);
        if (turn.isEmpty()) {
            return has;
        }
        if (turn.get().isAfter(now)) {
            queue.at(NodeFacts.key(node.name()), turn.get());
            return has;
        }
        if (has.isEmpty()) {
            zones.taken(node, now);
        }
        return wanted;
    }

    private static Set<String> has(NodeFacts node, Effect effect) {
        Set<String> has = new LinkedHashSet<>();
        node.taints().stream().filter(taint -> taint.effect() == effect && isOwn(taint.key(), effect))
                .forEach(taint -> has.add(taint.key()));
        return has;
    }

    private static boolean isOwn(String key, Effect effect) {
        return effect == Effect.NoExecute ? key.equals(NOT_READY) || key.equals(UNREACHABLE) : OWN.contains(key);
    }

    private static void write(ObjectNode node, Effect effect, Set<String> wanted, Instant now) {
        ArrayNode taints = node.withObjectProperty("spec").withArrayProperty("taints");
        Set<String> missing = new LinkedHashSet<>(wanted);
        var there = taints.iterator();
        while (there.hasNext()) {
            JsonNode taint = there.next();
            String key = taint.path("key").asText();
            boolean own = taint.path("effect").asText().equals(effect.name()) && isOwn(key, effect);
            if (own && !missing.remove(key)) {
                there.remove();
            }
        }
        missing.forEach(key -> taints.addObject().put("key", key).put("effect", effect.name())
                .put("timeAdded", ObjectStore.timestamp(now)));
    }
}
