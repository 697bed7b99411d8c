package dev.pitwall.lab.kube.control.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a change of a Deployment's replicas does to its ReplicaSets: one gets them all, several in the middle of a rollout
 * get their share. [kubernetes: pkg/controller/deployment/sync.go, scale]
 */
final class Scaling {
    private final Rollout rollout;
    private final DeploymentPlan plan;

    Scaling(Rollout rollout) {
        this.rollout = rollout;
        this.plan = rollout.plan();
    }

    /** True if the Deployment was scaled since its ReplicaSets were sized. */
    boolean isDue() {
        return rollout.all().stream().filter(RevisionSet::isActive).map(set -> set.number(RevisionNotes.DESIRED))
                .anyMatch(desired -> desired.isPresent() && desired.getAsLong() != plan.replicas());
    }

    void scale() {
        Optional<RevisionSet> only = onlyOne();
        if (only.isPresent()) {
            if (only.get().replicas() != plan.replicas()) {
                rollout.size(only.get(), plan.replicas());
            }
        } else if (rollout.newest().filter(this::isSaturated).isPresent()) {
            rollout.activeOld().forEach(set -> rollout.size(set, 0));
        } else if (plan.strategy() == DeploymentPlan.Strategy.ROLLING_UPDATE) {
            share();
        }
    }

    /** The one that has pods; if none has, the newest one. */
    private Optional<RevisionSet> onlyOne() {
        List<RevisionSet> active = active();
        return switch (active.size()) {
            case 0 -> rollout.newest().or(() -> rollout.old().stream().max(RevisionSet.BY_AGE));
            case 1 -> Optional.of(active.getFirst());
            default -> Optional.empty();
        };
    }

    private boolean isSaturated(RevisionSet newest) {
        OptionalLong desired = newest.number(RevisionNotes.DESIRED);
        return newest.replicas() == plan.replicas() && desired.isPresent() && desired.getAsLong() == plan.replicas()
                && newest.available() == plan.replicas();
    }

    /** Each in proportion to its size; what does not come out even goes to the largest. */
    private void share() {
        int allowed = plan.replicas() > 0 ? plan.mostReplicas() : 0;
        List<RevisionSet> sets = active();
        int toAdd = allowed - sets.stream().mapToInt(RevisionSet::replicas).sum();
        Comparator<RevisionSet> bySize = Comparator.comparingInt(RevisionSet::replicas).reversed();
        sets.sort(bySize.thenComparing(toAdd > 0 ? RevisionSet.BY_AGE.reversed() : RevisionSet.BY_AGE));
        int[] sizes = sets.stream().mapToInt(RevisionSet::replicas).toArray();
        int added = 0;
        for (int i = 0; i < sizes.length; i++) {
            int share = share(sets.get(i), toAdd, added);
            sizes[i] += share;
            added += share;
        }
        if (sizes.length > 0) {
            sizes[0] = Math.max(0, sizes[0] + toAdd - added);
        }
        for (int i = 0; i < sizes.length; i++) {
            rollout.size(sets.get(i), sizes[i]);
        }
    }

    private int share(RevisionSet set, int toAdd, int added) {
        int left = toAdd - added;
        int fraction = left == 0 ? 0 : fraction(set);
        return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    }

    /** By how much a ReplicaSet would grow if it kept its part of the whole. */
    private int fraction(RevisionSet set) {
        if (plan.replicas() == 0) {
            return -set.replicas();
        }
        long before = set.number(RevisionNotes.MOST).orElse(0);
        if (before == 0) {
            before = plan.item().tree().at("/status/replicas").asLong(0);
        }
        return before == 0 ? 0
                : (int) Math.round((double) set.replicas() * plan.mostReplicas() / before) - set.replicas();
    }

    private List<RevisionSet> active() {
        List<RevisionSet> active = new ArrayList<>(rollout.all());
        active.removeIf(set -> !set.isActive());
        return active;
    }
}
