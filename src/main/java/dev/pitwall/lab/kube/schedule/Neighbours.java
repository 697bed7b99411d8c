package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Toleration;
import dev.pitwall.lab.kube.schedule.Demand.PodTerm;
import dev.pitwall.lab.kube.schedule.Demand.Spread;
import dev.pitwall.lab.kube.schedule.NodeLoad.Held;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the other pods are, counted once for one pod that is to be placed, so that each node is a look-up only. Pods can
 * be taken out of the count and put back, to see what their leaving would change.
 * [kubernetes: plugins interpodaffinity and podtopologyspread]
 */
final class Neighbours {
    private final PodFacts pod;
    private final Demand demand;
    private final Ledger ledger;
    private final KnownObjects objects;
    /** By term, how many pods it means are in each domain; no domain stands with 0. */
    private final List<Map<String, Long>> affinity;
    private final List<Map<String, Long>> antiAffinity;
    private final List<Map<String, Long>> preferred;
    /** By constraint, how many pods are in each domain; every domain that counts is there. */
    private final List<Map<String, Long>> spreads = new ArrayList<>();
    /** By constraint, names of the nodes that count. */
    private final List<Set<String>> counted = new ArrayList<>();
    /** Domains that pods keep this one away from, and how many do. */
    private final Map<Domain, Long> kept = new HashMap<>();
    private final boolean meansItself;

    private record Domain(String key, String value) {
    }

    Neighbours(PodFacts pod, Demand demand, Ledger ledger, KnownObjects objects) {
        this.pod = pod;
        this.demand = demand;
        this.ledger = ledger;
        this.objects = objects;
        this.affinity = empty(demand.affinity().size());
        this.antiAffinity = empty(demand.antiAffinity().size());
        this.preferred = empty(demand.preferred().size());
        this.meansItself = meansAll(pod);
        demand.spreads().forEach(this::domains);
        if (demand.looksAtPods()) {
            candidates().forEach(held -> countWanted(held, held.pod().node(), 1));
        }
        ledger.apart().forEach(held -> countKept(held, held.pod().node(), 1));
    }

    /** As if the pod were not there. */
    void remove(Held held, String node) {
        countWanted(held, node, -1);
        countKept(held, node, -1);
    }

    /** As if the pod were on a node. */
    void add(Held held, String node) {
        countWanted(held, node, 1);
        countKept(held, node, 1);
    }

    /** What is against a node; empty for nothing. */
    Optional<Refusal> against(NodeFacts node) {
        for (int i = 0; i < spreads.size(); i++) {
            Spread spread = demand.spreads().get(i);
            if (spread.hard()) {
                String domain = node.labels().get(spread.topologyKey());
                if (domain == null) {
                    return Optional.of(Refusal.SPREAD_LABEL);
                }
                long self = spread.labels().test(pod.labels()) ? 1 : 0;
                if (spreads.get(i).getOrDefault(domain, 0L) + self - fewest(i) > spread.maxSkew()) {
                    return Optional.of(Refusal.SPREAD);
                }
            }
        }
        return againstPods(node);
    }

    private Optional<Refusal> againstPods(NodeFacts node) {
        // The first of a group that wants to be together has nobody to be with yet.
        boolean first = meansItself && affinity.stream().allMatch(Map::isEmpty);
        for (int i = 0; i < affinity.size(); i++) {
            String domain = node.labels().get(demand.affinity().get(i).topologyKey());
            if (domain == null || !first && !affinity.get(i).containsKey(domain)) {
                return Optional.of(Refusal.AFFINITY);
            }
        }
        for (int i = 0; i < antiAffinity.size(); i++) {
            String domain = node.labels().get(demand.antiAffinity().get(i).topologyKey());
            if (domain != null && antiAffinity.get(i).containsKey(domain)) {
                return Optional.of(Refusal.ANTI_AFFINITY);
            }
        }
        for (Domain domain : kept.keySet()) {
            if (domain.value().equals(node.labels().get(domain.key()))) {
                return Optional.of(Refusal.KEPT_AWAY);
            }
        }
        return Optional.empty();
    }

    /** What preferences between pods say for a node: the more the better. */
    long weight(NodeFacts node) {
        long sum = 0;
        for (int i = 0; i < preferred.size(); i++) {
            PodTerm term = demand.preferred().get(i);
            String domain = node.labels().get(term.topologyKey());
            sum += domain == null ? 0 : term.weight() * preferred.get(i).getOrDefault(domain, 0L);
        }
        return sum;
    }

    /** How many pods that a spread constraint counts are near a node: the fewer the better. */
    long crowd(NodeFacts node) {
        long sum = 0;
        for (int i = 0; i < spreads.size(); i++) {
            String domain = node.labels().get(demand.spreads().get(i).topologyKey());
            sum += domain == null ? 0 : spreads.get(i).getOrDefault(domain, 0L);
        }
        return sum;
    }

    private long fewest(int constraint) {
        Collection<Long> counts = spreads.get(constraint).values();
        return counts.isEmpty() || counts.size() < demand.spreads().get(constraint).minDomains() ? 0
                : Collections.min(counts);
    }

    /** Only nodes that have the labels of all hard constraints count, and as the policies say those it may go to. */
    private void domains(Spread spread) {
        Map<String, Long> counts = new HashMap<>();
        Set<String> nodes = new HashSet<>();
        for (NodeLoad load : ledger.nodes()) {
            NodeFacts node = load.node();
            String domain = node.labels().get(spread.topologyKey());
            if (domain != null && counts(spread, node)) {
                counts.put(domain, 0L);
                nodes.add(node.name());
            }
        }
        spreads.add(counts);
        counted.add(nodes);
    }

    private boolean counts(Spread spread, NodeFacts node) {
        return demand.spreads().stream()
                .allMatch(other -> other.hard() != spread.hard() || node.labels().containsKey(other.topologyKey()))
                && (!spread.honoursAffinity() || demand.nodes().accept(node))
                && (!spread.honoursTaints() || node.taints().stream()
                        .allMatch(taint -> !taint.keepsOut() || Toleration.any(demand.tolerations(), taint)));
    }

    private Collection<Held> candidates() {
        Set<String> namespaces = new HashSet<>(Set.of(pod.key().namespace()));
        for (List<PodTerm> terms : List.of(demand.affinity(), demand.antiAffinity(), demand.preferred())) {
            for (PodTerm term : terms) {
                if (term.looksAtNamespaces()) {
                    return ledger.all();
                }
                namespaces.addAll(term.namespaces());
            }
        }
        return namespaces.size() == 1 ? ledger.in(pod.key().namespace()) : ledger.all();
    }

    private void countWanted(Held held, String name, long sign) {
        PodFacts other = held.pod();
        Optional<NodeFacts> node = ledger.node(name);
        if (node.isEmpty()) {
            return;
        }
        Map<String, String> labels = node.get().labels();
        if (!affinity.isEmpty() && meansAll(other)) {
            for (int i = 0; i < affinity.size(); i++) {
                count(affinity.get(i), labels.get(demand.affinity().get(i).topologyKey()), sign);
            }
        }
        count(demand.antiAffinity(), antiAffinity, other, labels, sign);
        count(demand.preferred(), preferred, other, labels, sign);
        for (int i = 0; i < spreads.size(); i++) {
            Spread spread = demand.spreads().get(i);
            if (other.deletion().isEmpty() && other.key().namespace().equals(pod.key().namespace())
                    && spread.labels().test(other.labels()) && counted.get(i).contains(name)) {
                spreads.get(i).merge(labels.get(spread.topologyKey()), sign, Long::sum);
            }
        }
    }

    private void countKept(Held held, String name, long sign) {
        for (PodTerm term : held.demand().antiAffinity()) {
            if (means(term, pod)) {
                ledger.node(name).map(node -> node.labels().get(term.topologyKey())).ifPresent(value ->
                        count(kept, new Domain(term.topologyKey(), value), sign));
            }
        }
    }

    private void count(List<PodTerm> terms, List<Map<String, Long>> counts, PodFacts other,
                       Map<String, String> labels, long sign) {
        for (int i = 0; i < terms.size(); i++) {
            if (means(terms.get(i), other)) {
                count(counts.get(i), labels.get(terms.get(i).topologyKey()), sign);
            }
        }
    }

    private static <K> void count(Map<K, Long> counts, K domain, long sign) {
        if (domain != null) {
            counts.merge(domain, sign, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    private boolean meansAll(PodFacts other) {
        for (PodTerm term : demand.affinity()) {
            if (!means(term, other)) {
                return false;
            }
        }
        return true;
    }

    private boolean means(PodTerm term, PodFacts other) {
        String namespace = other.key().namespace();
        return term.labels().test(other.labels()) && (term.everywhere() || term.namespaces().contains(namespace)
                || term.looksAtNamespaces() && term.namespaceLabels().test(labels(namespace)));
    }

    private Map<String, String> labels(String namespace) {
        return objects.find(new ObjectKey(ControlPlane.NAMESPACES, "", namespace))
                .map(item -> item.object().labels()).orElse(Map.of());
    }

    private static List<Map<String, Long>> empty(int size) {
        List<Map<String, Long>> maps = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            maps.add(new HashMap<>());
        }
        return maps;
    }
}
