package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Taint;
import dev.pitwall.lab.kube.object.Toleration;
import dev.pitwall.lab.kube.schedule.NodeLoad.Held;
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
    private final Ledger ledger;
    private final Neighbours neighbours;
    private final PodVolumes volumes;
    private final List<NodeLoad> fitting = new ArrayList<>();
    private final Map<NodeLoad, Refusal> refusals = new LinkedHashMap<>();

    Placement(PodFacts pod, Demand demand, Ledger ledger, KnownObjects objects, PodVolumes volumes) {
        this.pod = pod;
        this.demand = demand;
        this.ledger = ledger;
        this.neighbours = new Neighbours(pod, demand, ledger, objects);
        this.volumes = volumes;
        if (volumes.hindrance().isEmpty() && !goesWhereNominated()) {
            for (NodeLoad load : ledger.nodes()) {
                refusal(load).ifPresentOrElse(refusal -> refusals.put(load, refusal), () -> fitting.add(load));
            }
        }
    }

    /** A node that others have left for it is looked at before all others. */
    private boolean goesWhereNominated() {
        Optional<NodeLoad> nominated = ledger.there(demand.nominated()).filter(load -> refusal(load).isEmpty());
        nominated.ifPresent(fitting::add);
        return nominated.isPresent();
    }

    int nodes() {
        return ledger.nodes().size();
    }

    /** What is against the nodes; of all of them if none will do. */
    Map<NodeLoad, Refusal> refusals() {
        return refusals;
    }

    /** What is against every node alike. */
    Optional<String> hindrance() {
        return volumes.hindrance();
    }

    Neighbours neighbours() {
        return neighbours;
    }

    /**
     * What is against a node as it is loaded; empty if the pod can go there. The first filter to refuse speaks. Pods of
     * at least its priority for which others leave the node count as if they were there already.
     */
    Optional<Refusal> refusal(NodeLoad load) {
        List<Held> coming = ledger.nominated(load.node().name()).stream().filter(other ->
                other.pod().priority() >= pod.priority() && !other.pod().uid().equals(pod.uid())).toList();
        Optional<Refusal> crowded = coming.isEmpty() ? Optional.empty() : with(coming, load);
        return crowded.or(() -> refusalNow(load));
    }

    private Optional<Refusal> with(List<Held> coming, NodeLoad load) {
        NodeLoad crowded = load.copy();
        String node = load.node().name();
        coming.forEach(other -> {
            crowded.add(other);
            neighbours.add(other, node);
        });
        Optional<Refusal> refusal = refusalNow(crowded);
        coming.forEach(other -> neighbours.remove(other, node));
        return refusal;
    }

    private Optional<Refusal> refusalNow(NodeLoad load) {
        Optional<Refusal> refusal = alone(pod, demand, load);
        if (refusal.isEmpty()) {
            refusal = volumes.against(load.node());
        }
        return refusal.isEmpty() ? neighbours.against(load.node()) : refusal;
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

    /** A pod less could always help, even where the node is too small as such. [kubernetes 1.33: fit.go] */
    private static Optional<Refusal> shortage(PodFacts pod, NodeLoad load) {
        List<String> reasons = null;
        if (load.used("pods") + 1 > load.node().allocatable("pods")) {
            reasons = new ArrayList<>(List.of("Too many pods"));
        }
        for (Map.Entry<String, Long> asked : pod.requests().entrySet()) {
            if (asked.getValue() > 0
                    && load.used(asked.getKey()) + asked.getValue() > load.node().allocatable(asked.getKey())) {
                reasons = reasons == null ? new ArrayList<>() : reasons;
                reasons.add("Insufficient " + asked.getKey());
            }
        }
        return reasons == null ? Optional.empty()
                : Optional.of(new Refusal(Filter.RESOURCES, List.copyOf(reasons), Remedy.PREEMPTION));
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
