package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.schedule.Demand.PodTerm;
import dev.pitwall.lab.kube.schedule.Demand.Spread;
import dev.pitwall.lab.kube.schedule.NodeLoad.Held;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the other pods are, counted once for one pod that is to be placed, so that each node is a look-up only.
 * [kubernetes: plugins interpodaffinity and podtopologyspread]
 */
final class Neighbours {
    private final PodFacts pod;
    private final Demand demand;
    private final Ledger ledger;
    private final KnownObjects objects;
    private final List<Map<String, Long>> affinity = new ArrayList<>();
    private final List<Map<String, Long>> antiAffinity = new ArrayList<>();
    private final List<Map<String, Long>> preferred = new ArrayList<>();
    private final List<Map<String, Long>> spreads = new ArrayList<>();
    private final List<Long> fewest = new ArrayList<>();
    private final Set<Domain> kept = new HashSet<>();
    private final boolean first;

    private record Domain(String key, String value) {
    }

    Neighbours(PodFacts pod, Demand demand, Ledger ledger, KnownObjects objects) {
        this.pod = pod;
        this.demand = demand;
        this.ledger = ledger;
        this.objects = objects;
        demand.affinity().forEach(term -> affinity.add(counts(term)));
        demand.antiAffinity().forEach(term -> antiAffinity.add(counts(term)));
        demand.preferred().forEach(term -> preferred.add(counts(term)));
        demand.spreads().forEach(this::spread);
        ledger.apart().forEach(this::keep);
        this.first = affinity.stream().allMatch(Map::isEmpty)
                && demand.affinity().stream().allMatch(term -> meant(term, pod));
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
                if (spreads.get(i).getOrDefault(domain, 0L) + self - fewest.get(i) > spread.maxSkew()) {
                    return Optional.of(Refusal.SPREAD);
                }
            }
        }
        return againstPods(node);
    }

    private Optional<Refusal> againstPods(NodeFacts node) {
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
        for (Domain domain : kept) {
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

    /** How many pods that a soft spread constraint counts are near a node: the fewer the better. */
    long crowd(NodeFacts node) {
        long sum = 0;
        for (int i = 0; i < spreads.size(); i++) {
            String domain = node.labels().get(demand.spreads().get(i).topologyKey());
            sum += domain == null ? 0 : spreads.get(i).getOrDefault(domain, 0L);
        }
        return sum;
    }

    private Map<String, Long> counts(PodTerm term) {
        Map<String, Long> counts = new HashMap<>();
        boolean one = term.namespaces().size() == 1 && !term.everywhere();
        Collection<Held> candidates = one ? ledger.in(term.namespaces().iterator().next()) : ledger.all();
        for (Held held : candidates) {
            if (meant(term, held.pod())) {
                domain(held.pod(), term.topologyKey()).ifPresent(value -> counts.merge(value, 1L, Long::sum));
            }
        }
        return counts;
    }

    private void spread(Spread spread) {
        Map<String, Long> counts = new HashMap<>();
        for (NodeLoad load : ledger.nodes()) {
            String domain = load.node().labels().get(spread.topologyKey());
            if (domain != null && demand.nodes().accept(load.node())) {
                counts.putIfAbsent(domain, 0L);
            }
        }
        for (Held held : ledger.in(pod.key().namespace())) {
            if (held.pod().deletion().isEmpty() && spread.labels().test(held.pod().labels())) {
                domain(held.pod(), spread.topologyKey())
                        .ifPresent(value -> counts.computeIfPresent(value, (v, count) -> count + 1));
            }
        }
        spreads.add(counts);
        fewest.add(counts.size() < spread.minDomains() ? 0
                : counts.values().stream().mapToLong(Long::longValue).min().orElse(0));
    }

    private void keep(Held held) {
        for (PodTerm term : held.demand().antiAffinity()) {
            if (meant(term, pod)) {
                domain(held.pod(), term.topologyKey()).ifPresent(value -> kept.add(new Domain(term.topologyKey(), value)));
            }
        }
    }

    private Optional<String> domain(PodFacts other, String key) {
        return ledger.node(other.node()).map(node -> node.labels().get(key));
    }

    private boolean meant(PodTerm term, PodFacts other) {
        String namespace = other.key().namespace();
        return term.labels().test(other.labels())
                && (term.everywhere() || term.namespaces().contains(namespace)
                || term.namespaceLabels().test(labels(namespace)));
    }

    private Map<String, String> labels(String namespace) {
        return objects.find(new ObjectKey(ControlPlane.NAMESPACES, "", namespace))
                .map(item -> item.object().labels()).orElse(Map.of());
    }
}
