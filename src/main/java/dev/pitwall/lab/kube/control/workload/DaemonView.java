package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The nodes and the pods of a DaemonSet at one moment. */
final class DaemonView {
    /** Bound ones first, then the older. */
    private static final Comparator<PodFacts> BY_AGE =
            Comparator.<PodFacts, Boolean>comparing(pod -> pod.node().isEmpty()).thenComparing(PodFacts::created)
                    .thenComparing(pod -> pod.key().name());

    private final DaemonPlan plan;
    private final String hash;
    private final Instant now;
    private final Map<String, DaemonTemplate.Place> places = new TreeMap<>();
    private final Map<String, List<PodFacts>> pods;

    /** An old and a new pod on one node; more of a kind are too many to say. */
    record Pair(Optional<PodFacts> old, Optional<PodFacts> fresh) {
        boolean isEmpty() {
            return old.isEmpty() && fresh.isEmpty();
        }

        boolean isFull() {
            return old.isPresent() && fresh.isPresent();
        }
    }

    DaemonView(DaemonPlan plan, DaemonTemplate template, String hash, Collection<NodeFacts> nodes,
               List<PodFacts> pods, Instant now) {
        this.plan = plan;
        this.hash = hash;
        this.now = now;
        nodes.forEach(node -> places.put(node.name(), template.place(node)));
        // A pod that is done and being deleted is the kubelet's business alone.
        this.pods = pods.stream().filter(pod -> !pod.isDone() || pod.deletion().isEmpty()).sorted(BY_AGE)
                .collect(Collectors.groupingBy(DaemonTemplate::target, TreeMap::new, Collectors.toList()));
    }

    Instant now() {
        return now;
    }

    DaemonPlan plan() {
        return plan;
    }

    /** Every node there is, by name. */
    Map<String, DaemonTemplate.Place> places() {
        return places;
    }

    /** Nodes with a pod, by name, some of which may not be there. */
    Map<String, List<PodFacts>> byNode() {
        return pods;
    }

    /** The oldest first. */
    List<PodFacts> on(String node) {
        return pods.getOrDefault(node, List.of());
    }

    List<PodFacts> staying(String node) {
        return on(node).stream().filter(pod -> pod.deletion().isEmpty()).toList();
    }

    int desired() {
        return (int) places.values().stream().filter(place -> place == DaemonTemplate.Place.WANTED).count();
    }

    boolean isFresh(PodFacts pod) {
        return hash.equals(pod.labels().get(Revisions.POD_HASH));
    }

    boolean isAvailable(PodFacts pod) {
        return pod.isAvailable(plan.minReadySeconds(), now);
    }

    /** The pods of a node that stay; empty if there are two of a kind, which have to be sorted out first. */
    Optional<Pair> pair(String node) {
        Map<Boolean, List<PodFacts>> kinds =
                staying(node).stream().collect(Collectors.partitioningBy(this::isFresh));
        return kinds.values().stream().anyMatch(kind -> kind.size() > 1) ? Optional.empty()
                : Optional.of(new Pair(kinds.get(false).stream().findFirst(), kinds.get(true).stream().findFirst()));
    }
}
