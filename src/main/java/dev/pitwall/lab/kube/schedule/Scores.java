package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Taint;
import dev.pitwall.lab.kube.object.Toleration;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How good each node is, each view scaled to 0 to 100 and weighed as in kube-scheduler's default profile; where an image
 * lies already is not looked at. [kubernetes: apis/config/v1/default_plugins.go]
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

    /** How a view's values become 0 to 100. */
    private enum Scale {
        /** The most is 100. */
        MORE {
            @Override
            double of(long value, long least, long most) {
                return most == 0 ? 0 : value * FULL / most;
            }
        },
        /** None is 100, the most is 0. */
        NONE {
            @Override
            double of(long value, long least, long most) {
                return FULL - MORE.of(value, least, most);
            }
        },
        /** The most is 100, the least is 0. */
        BETWEEN {
            @Override
            double of(long value, long least, long most) {
                return most == least ? 0 : (value - least) * FULL / (most - least);
            }
        },
        /** The least is 100. */
        FEWER {
            @Override
            double of(long value, long least, long most) {
                return most == 0 ? FULL : (most + least - value) * FULL / most;
            }
        };

        abstract double of(long value, long least, long most);
    }

    Scores(PodFacts pod, Demand demand, Neighbours neighbours, List<NodeLoad> nodes) {
        this.pod = pod;
        this.nodes = nodes;
        this.sums = new double[nodes.size()];
        for (int i = 0; i < sums.length; i++) {
            NodeLoad load = nodes.get(i);
            sums[i] = (free(load, "cpu") + free(load, "memory")) / 2 + balance(load);
        }
        add(TAINTS, Scale.NONE, load -> disliked(load, demand));
        add(NODE_AFFINITY, Scale.MORE, load -> demand.nodes().weight(load.node()));
        if (!demand.preferred().isEmpty()) {
            add(POD_AFFINITY, Scale.BETWEEN, load -> neighbours.weight(load.node()));
        }
        add(SPREAD, Scale.FEWER, demand.spreads().isEmpty() ? this::siblings
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

    /** CPU and memory used to the same share is best. [NodeResourcesBalancedAllocation] */
    private double balance(NodeLoad load) {
        return FULL * (1 - Math.abs(share(load, "cpu") - share(load, "memory")) / 2);
    }

    private double share(NodeLoad load, String resource) {
        long all = load.node().allocatable(resource);
        return all <= 0 ? 1 : Math.min(1, (double) (load.used(resource) + pod.requests(resource)) / all);
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
        return pod.ownerUid().isEmpty() ? 0 : load.ownedBy(pod.ownerUid());
    }

    private void add(int weight, Scale scale, ToLongFunction<NodeLoad> view) {
        long[] values = nodes.stream().mapToLong(view).toArray();
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (long value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        for (int i = 0; i < values.length && most > least; i++) {
            sums[i] += weight * scale.of(values[i], least, most);
        }
    }
}
