package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Taint;
import dev.pitwall.lab.kube.control.Toleration;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How good each node is, each view scaled to 0 to 100 and weighed as in kube-scheduler's default profile.
 * [kubernetes: apis/config/v1/default_plugins.go]
 */
final class Scores {
    private static final double FULL = 100;
    private static final int TAINTS = 3;
    private static final int NODE_AFFINITY = 2;
    private static final int POD_AFFINITY = 2;
    private static final int SPREAD = 2;

    private final PodFacts pod;
    private final List<NodeLoad> nodes;
    private final double[] sums;

    /** Whether much of something is good. */
    private enum Sense { MORE_IS_BETTER, LESS_IS_BETTER }

    Scores(PodFacts pod, Demand demand, Neighbours neighbours, List<NodeLoad> nodes) {
        this.pod = pod;
        this.nodes = nodes;
        this.sums = new double[nodes.size()];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = (free(nodes.get(i), "cpu") + free(nodes.get(i), "memory")) / 2;
        }
        add(TAINTS, Sense.LESS_IS_BETTER, load -> disliked(load, demand));
        add(NODE_AFFINITY, Sense.MORE_IS_BETTER, load -> demand.nodes().weight(load.node()));
        if (!demand.preferred().isEmpty()) {
            add(POD_AFFINITY, Sense.MORE_IS_BETTER, load -> neighbours.weight(load.node()));
        }
        add(SPREAD, Sense.LESS_IS_BETTER, demand.spreads().isEmpty() ? this::siblings
                : load -> neighbours.crowd(load.node()));
    }

    double[] sums() {
        return sums;
    }

    private double free(NodeLoad load, String resource) {
        long all = load.node().allocatable(resource);
        long used = load.guessed(resource) + NodeLoad.guess(pod, resource);
        return all <= 0 || used >= all ? 0 : (all - used) * FULL / all;
    }

    private static long disliked(NodeLoad load, Demand demand) {
        long count = 0;
        for (Taint taint : load.node().taints()) {
            count += taint.effect() == Taint.Effect.PreferNoSchedule
                    && !Toleration.any(demand.tolerations(), taint) ? 1 : 0;
        }
        return count;
    }

    /** Pods of the same owner on the node; the built-in soft constraint keeps them apart. */
    private long siblings(NodeLoad load) {
        if (pod.ownerUid().isEmpty()) {
            return 0;
        }
        long count = 0;
        for (NodeLoad.Held held : load.pods()) {
            count += held.pod().ownerUid().equals(pod.ownerUid()) ? 1 : 0;
        }
        return count;
    }

    private void add(int weight, Sense sense, ToLongFunction<NodeLoad> view) {
        long[] values = nodes.stream().mapToLong(view).toArray();
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (long value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        for (int i = 0; i < values.length && most > least; i++) {
            long good = sense == Sense.MORE_IS_BETTER ? values[i] - least : most - values[i];
            sums[i] += weight * FULL * good / (most - least);
        }
    }
}
