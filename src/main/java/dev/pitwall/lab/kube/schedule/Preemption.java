package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.schedule.NodeLoad.Held;
import dev.pitwall.lab.kube.schedule.Refusal.Remedy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Which pods would have to leave so that one that fits nowhere fits: as few as will do, and those that are missed least.
 * [kubernetes: framework/preemption, plugins/defaultpreemption]
 */
final class Preemption {
    /** As many nodes are looked at closely, or a tenth of all if that is more. */
    private static final int CANDIDATES = 100;
    private static final int SHARE = 10;
    /** Makes every priority count, negative ones too, so that of two sets the smaller is the better. */
    private static final long OFFSET = 1L << 31;

    private final PodFacts pod;
    private final Demand demand;
    private final Placement placement;
    private final Ledger ledger;
    private final Budgets budgets;
    private final Instant now;

    /** What has come of it. */
    sealed interface Outcome {
        /** Pods are to leave a node for it. */
        record Chosen(String node, List<PodFacts> victims) implements Outcome {
        }

        /** Nobody is to leave. @param nominated node that is still meant for it; empty for none */
        record None(String text, String nominated) implements Outcome {
        }
    }

    /** @param victims the most important first */
    private record Candidate(NodeLoad load, List<Held> victims, int broken, Instant now) {
        int highest() {
            return victims.isEmpty() ? Integer.MIN_VALUE : victims.getFirst().pod().priority();
        }

        long sum() {
            return victims.stream().mapToLong(victim -> victim.pod().priority() + OFFSET).sum();
        }

        /** When the one that has run longest of its most important victims was started. */
        Instant started() {
            return victims.stream().filter(victim -> victim.pod().priority() == highest())
                    .map(victim -> Preemption.started(victim, now)).min(Comparator.naturalOrder()).orElse(Instant.MAX);
        }
    }

    /** @param placement that has found no node for the pod */
    Preemption(Waiting waiting, Placement placement, Ledger ledger, Budgets budgets, Instant now) {
        this.pod = waiting.pod();
        this.demand = waiting.demand();
        this.placement = placement;
        this.ledger = ledger;
        this.budgets = budgets;
        this.now = now;
    }

    Outcome outcome(Random chance) {
        if (!demand.mayPreempt()) {
            return new Outcome.None("not eligible due to preemptionPolicy=Never.", demand.nominated());
        }
        if (isMadeRoomFor()) {
            return new Outcome.None("not eligible due to a terminating pod on the nominated node.", demand.nominated());
        }
        Map<NodeLoad, Refusal> still = new HashMap<>();
        List<Candidate> candidates = candidates(chance, still);
        if (candidates.isEmpty()) {
            List<Refusal> all = new ArrayList<>(still.values());
            all.addAll(Collections.nCopies(placement.nodes() - all.size(), Refusal.NOT_HELPFUL));
            return new Outcome.None(Verdict.histogram(placement.nodes(), all), "");
        }
        Candidate best = Collections.min(candidates, Comparator.comparingInt(Candidate::broken)
                .thenComparingInt(Candidate::highest).thenComparingLong(Candidate::sum)
                .thenComparingInt(candidate -> candidate.victims().size())
                .thenComparing(Candidate::started, Comparator.reverseOrder()));
        return new Outcome.Chosen(best.load().node().name(), best.victims().stream().map(Held::pod).toList());
    }

    /** Others are leaving its node for it already. */
    private boolean isMadeRoomFor() {
        Optional<NodeLoad> nominated = ledger.there(demand.nominated());
        if (nominated.isEmpty() || Optional.ofNullable(placement.refusals().get(nominated.get()))
                .filter(refusal -> refusal.remedy() == Remedy.NONE).isPresent()) {
            return false;
        }
        return nominated.get().pods().stream().anyMatch(held -> held.pod().priority() < pod.priority()
                && held.pod().deletion().isPresent()
                && Conditions.find(held.pod().object().tree(), "DisruptionTarget").path("reason").asText("")
                .equals(Reports.PREEMPTED));
    }

    private List<Candidate> candidates(Random chance, Map<NodeLoad, Refusal> still) {
        List<NodeLoad> potential = new ArrayList<>();
        placement.refusals().forEach((load, refusal) -> {
            if (refusal.remedy() == Remedy.PREEMPTION) {
                potential.add(load);
            }
        });
        List<Candidate> candidates = new ArrayList<>();
        int wanted = Math.max(CANDIDATES, potential.size() / SHARE);
        int offset = potential.isEmpty() ? 0 : chance.nextInt(potential.size());
        for (int i = 0; i < potential.size() && candidates.size() < wanted; i++) {
            look(potential.get((offset + i) % potential.size()), candidates, still);
        }
        return candidates;
    }

    /** Takes all lesser pods from a node, and if that helps, gives back as many as can stay. */
    private void look(NodeLoad load, List<Candidate> candidates, Map<NodeLoad, Refusal> still) {
        List<Held> lesser = new ArrayList<>(load.pods().stream()
                .filter(held -> held.pod().priority() < pod.priority()).toList());
        if (lesser.isEmpty()) {
            still.put(load, Refusal.NO_VICTIMS);
            return;
        }
        NodeLoad trial = load.copy();
        lesser.forEach(held -> leave(trial, held));
        Optional<Refusal> refusal = placement.refusal(trial);
        if (refusal.isPresent()) {
            still.put(load, refusal.get());
            lesser.forEach(held -> comeBack(trial, held));
        } else {
            lesser.sort(importance());
            candidates.add(candidate(load, trial, lesser));
        }
    }

    private Candidate candidate(NodeLoad load, NodeLoad trial, List<Held> lesser) {
        Set<Held> breaking = budgets.broken(lesser);
        List<Held> order = new ArrayList<>(breaking);
        lesser.stream().filter(held -> !breaking.contains(held)).forEach(order::add);
        List<Held> victims = new ArrayList<>();
        for (Held held : order) {
            comeBack(trial, held);
            if (placement.refusal(trial).isPresent()) {
                leave(trial, held);
                victims.add(held);
            }
        }
        victims.forEach(held -> placement.neighbours().add(held, load.node().name()));
        int broken = (int) victims.stream().filter(breaking::contains).count();
        victims.sort(importance());
        return new Candidate(load, victims, broken, now);
    }

    private void leave(NodeLoad trial, Held held) {
        trial.remove(held.pod().key());
        placement.neighbours().remove(held, trial.node().name());
    }

    private void comeBack(NodeLoad trial, Held held) {
        trial.add(held);
        placement.neighbours().add(held, trial.node().name());
    }

    /** The more important first: by priority, then by how long it has run. */
    private Comparator<Held> importance() {
        return Comparator.<Held>comparingInt(held -> -held.pod().priority())
                .thenComparing(held -> started(held, now));
    }

    private static Instant started(Held held, Instant now) {
        String text = held.pod().object().tree().at("/status/startTime").asText("");
        return text.isEmpty() ? now : Instant.parse(text);
    }
}
