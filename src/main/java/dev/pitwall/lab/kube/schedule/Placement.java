package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Taint;
import dev.pitwall.lab.kube.control.Toleration;
import dev.pitwall.lab.kube.schedule.Refusal.Filter;
import dev.pitwall.lab.kube.schedule.Refusal.Remedy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** One try to place one pod: the filters of kube-scheduler in their order, then the scores. */
final class Placement {
    private static final Taint CORDON =
            new Taint("node.kubernetes.io/unschedulable", "", Taint.Effect.NoSchedule);

    private final PodFacts pod;
    private final Demand demand;
    private final Neighbours neighbours;
    private final List<NodeLoad> nodes;
    private final List<NodeLoad> fitting = new ArrayList<>();
    private final Map<NodeLoad, Refusal> refusals = new LinkedHashMap<>();

    Placement(PodFacts pod, Demand demand, Ledger ledger, KnownObjects objects) {
        this.pod = pod;
        this.demand = demand;
        this.neighbours = new Neighbours(pod, demand, ledger, objects);
        this.nodes = ledger.nodes();
        for (NodeLoad load : nodes) {
            refusal(load).ifPresentOrElse(refusal -> refusals.put(load, refusal), () -> fitting.add(load));
        }
    }

    int nodes() {
        return nodes.size();
    }

    Map<NodeLoad, Refusal> refusals() {
        return refusals;
    }

    /** What is against a node as it is loaded; empty if the pod can go there. The first filter to refuse speaks. */
    Optional<Refusal> refusal(NodeLoad load) {
        return alone(pod, demand, load).or(() -> neighbours.against(load.node()));
    }

    /** What is against a node, whatever runs on the others. */
    static Optional<Refusal> alone(PodFacts pod, Demand demand, NodeLoad load) {
        NodeFacts node = load.node();
        Optional<Set<String>> named = demand.nodes().names();
        if (named.isPresent() && !named.get().contains(node.name())) {
            return Optional.of(Refusal.NOT_NAMED);
        }
        if (node.unschedulable() && !Toleration.any(demand.tolerations(), CORDON)) {
            return Optional.of(Refusal.UNSCHEDULABLE);
        }
        for (Taint taint : node.taints()) {
            if (taint.keepsOut() && !Toleration.any(demand.tolerations(), taint)) {
                return Optional.of(Refusal.taint(taint));
            }
        }
        if (!demand.nodes().accept(node)) {
            return Optional.of(Refusal.NODE_AFFINITY);
        }
        for (Demand.Port port : demand.ports()) {
            if (load.takes(port)) {
                return Optional.of(Refusal.PORTS);
            }
        }
        return shortage(pod, load);
    }

    private static Optional<Refusal> shortage(PodFacts pod, NodeLoad load) {
        List<String> reasons = null;
        boolean hopeless = false;
        if (load.used("pods") + 1 > load.node().allocatable("pods")) {
            reasons = new ArrayList<>(List.of("Too many pods"));
        }
        for (Map.Entry<String, Long> asked : pod.requests().entrySet()) {
            long allocatable = load.node().allocatable(asked.getKey());
            if (asked.getValue() > 0 && load.used(asked.getKey()) + asked.getValue() > allocatable) {
                reasons = reasons == null ? new ArrayList<>() : reasons;
                reasons.add("Insufficient " + asked.getKey());
                hopeless |= asked.getValue() > allocatable;
            }
        }
        return reasons == null ? Optional.empty()
                : Optional.of(new Refusal(Filter.RESOURCES, List.copyOf(reasons), hopeless ? Remedy.NONE : Remedy.PREEMPTION));
    }

    /** The best of the nodes that will do; of equal ones chance takes one. */
    Optional<NodeFacts> choose(Random chance) {
        if (fitting.size() < 2) {
            return fitting.stream().findFirst().map(NodeLoad::node);
        }
        double[] scores = new Scores(pod, demand, neighbours, fitting).sums();
        int best = 0;
        int equal = 1;
        for (int i = 1; i < scores.length; i++) {
            if (scores[i] > scores[best]) {
                best = i;
                equal = 1;
            } else if (scores[i] == scores[best] && chance.nextInt(++equal) == 0) {
                best = i;
            }
        }
        return Optional.of(fitting.get(best).node());
    }
}
