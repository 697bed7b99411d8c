package dev.pitwall.lab.kube.control.workload;

/**
 * How a rolling update goes on: as many new pods as the surge leaves room for, as few old ones as availability allows.
 * [kubernetes: pkg/controller/deployment/rolling.go]
 */
final class RollingSteps {
    private final Rollout rollout;
    private final DeploymentPlan plan;

    RollingSteps(Rollout rollout) {
        this.rollout = rollout;
        this.plan = rollout.plan();
    }

    /** One step. @return true if something was sized; the next step waits for what comes of it */
    boolean step() {
        RevisionSet newest = rollout.require();
        return growNew(newest) || shrinkOld(newest);
    }

    private boolean growNew(RevisionSet newest) {
        int has = newest.replicas();
        return rollout.resize(newest, has > plan.replicas() ? plan.replicas() : rollout.roomForNewest(has));
    }

    private boolean shrinkOld(RevisionSet newest) {
        int missing = newest.replicas() - newest.available();
        int most = rollout.replicas() - plan.leastAvailable() - missing;
        if (rollout.activeOld().isEmpty() || most <= 0) {
            return false;
        }
        // Pods that are no good anyway go first, or they would block the rollout.
        return dropUnhealthy(most) + dropAvailable() > 0;
    }

    private int dropUnhealthy(int most) {
        int dropped = 0;
        for (RevisionSet set : rollout.activeOld()) {
            int count = Math.min(most - dropped, set.replicas() - set.available());
            if (count > 0) {
                rollout.size(set, set.replicas() - count);
                dropped += count;
            }
        }
        return dropped;
    }

    private int dropAvailable() {
        int spare = rollout.available() - plan.leastAvailable();
        int dropped = 0;
        for (RevisionSet set : rollout.activeOld()) {
            int count = Math.min(set.replicas(), spare - dropped);
            if (count > 0) {
                rollout.size(set, set.replicas() - count);
                dropped += count;
            }
        }
        return dropped;
    }
}
