package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Any number of plain pods with a steady rate of changes, for scale tests. They are written straight into the store:
 * nothing about them is computed anew but the pod that changes. A change is, turn by turn, a pod that goes, the pod
 * that comes for it, and that pod's start. Used by one thread.
 */
final class FleetPods {
    private static final String NAMESPACE = "web";
    private static final int NAMESPACES = 20;

    private final ObjectStore store;
    private final ClusterData data;
    private final List<ClusterView.Node> nodes;
    private final int count;
    private final double perSecond;
    private final Random random = new Random(7);
    private final int[] generation;
    private double due;
    private int victim = -1;
    private int step;

    FleetPods(ObjectStore store, ClusterData data, ClusterView view, int count, double perSecond) {
        this.store = store;
        this.data = data;
        this.nodes = view.nodes().stream().filter(node -> !node.hasCards() && !node.master()).toList();
        this.count = nodes.isEmpty() ? 0 : count;
        this.perSecond = perSecond;
        this.generation = new int[this.count];
    }

    /** Makes all of them, as if they had run for a while. */
    void start(Instant now) {
        for (int i = 0; i < count; i++) {
            Instant born = now.minusSeconds(600L + i % 86_400);
            put(i, new PodLife.Running(born, born.plusSeconds(4)), now);
        }
    }

    /** @param seconds of lab time since the last call */
    void pass(double seconds, Instant now) {
        if (count == 0) {
            return;
        }
        due = Math.min(due + seconds * perSecond, perSecond + 1);
        for (; due >= 1; due--) {
            change(now);
        }
    }

    private void change(Instant now) {
        if (step == 0) {
            victim = random.nextInt(count);
            store.purge(key(victim));
        } else if (step == 1) {
            generation[victim]++;
            put(victim, new PodLife.Held(now), now);
        } else {
            put(victim, new PodLife.Running(now.minusSeconds(2), now), now);
        }
        step = (step + 1) % 3;
    }

    private ObjectKey key(int index) {
        return new ObjectKey(PodWriter.PODS, namespace(index), name(index));
    }

    private String namespace(int index) {
        return index % NAMESPACES == 0 ? NAMESPACE : "team-" + index % NAMESPACES;
    }

    /** Namespaces that its pods are in, besides those a cluster has anyway. */
    static List<String> namespaces() {
        return IntStream.range(1, NAMESPACES).mapToObj(i -> "team-" + i).toList();
    }

    private String name(int index) {
        return "app-" + index / 10 + "-" + Names.suffix("app" + index / 10, 9) + "-"
                + Names.suffix("fleet" + index + "/" + generation[index], 5);
    }

    private void put(int index, PodLife life, Instant now) {
        Desired one = new Desired(new Incarnations());
        PodPlan plan = new PodPlan(namespace(index), "app-" + index / 10);
        plan.labels.put("app", "app-" + index / 10);
        plan.labels.put("tier", index % 3 == 0 ? "front" : "back");
        plan.tolerations.add(new PodPlan.Toleration("node.kubernetes.io/not-ready", "Exists", "", "NoExecute"));
        plan.owner = Optional.of(Controllers.replicaSet(plan.namespace, "app-" + index / 10));
        plan.main = new PodPlan.Container("app", "registry.example/app:" + index % 7,
                Map.of("cpu", "20m", "memory", "32Mi"), Map.of("memory", "64Mi"), 8080, "http");
        new PodWriter(one, data, now).add(plan, name(index), Optional.of(nodes.get(index % nodes.size())), life);
        ObjectNode pod = one.objects().get(key(index));
        // Each pod that comes is another one.
        Desired.metadata(pod).put("uid", Names.uid("fleet" + index + "/" + generation[index]));
        store.put(key(index), pod);
    }
}
