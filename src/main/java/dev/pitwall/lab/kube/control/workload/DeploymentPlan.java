package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.object.IntOrPercent.Rounding;
import dev.pitwall.lab.kube.object.IntOrPercent;
import java.time.Duration;
import java.util.Optional;

/**
 * What a Deployment asks for. What it leaves out counts as the API server would fill it in.
 *
 * @param maxSurge       pods that may be there above the wanted ones during a rolling update; 0 for Recreate
 * @param maxUnavailable pods that may be missing during a rolling update; 0 for Recreate
 * @param deadline       how long a rollout may be without progress; empty for ever
 * @param historyLimit   old ReplicaSets that are kept; empty for all
 */
record DeploymentPlan(Item item, int replicas, Strategy strategy, int maxSurge, int maxUnavailable, int minReadySeconds,
                      boolean paused, Optional<Duration> deadline, Optional<Integer> historyLimit) {

    /** How new pods take the place of old ones. */
    enum Strategy { ROLLING_UPDATE, RECREATE }

    static DeploymentPlan of(Item item) {
        JsonNode spec = item.tree().path("spec");
        int replicas = spec.path("replicas").asInt(1);
        Strategy strategy = spec.at("/strategy/type").asText("").equals("Recreate") ? Strategy.RECREATE
                : Strategy.ROLLING_UPDATE;
        int surge = 0;
        int unavailable = 0;
        if (strategy == Strategy.ROLLING_UPDATE) {
            JsonNode rolling = spec.at("/strategy/rollingUpdate");
            surge = IntOrPercent.of(rolling.path("maxSurge"), "25%", replicas, Rounding.UP);
            unavailable = IntOrPercent.of(rolling.path("maxUnavailable"), "25%", replicas, Rounding.DOWN);
            // Two zeros could never roll; one pod may be missing then. [kubernetes: ResolveFenceposts]
            unavailable = Math.min(surge == 0 && unavailable == 0 ? 1 : unavailable, replicas);
        }
        return new DeploymentPlan(item, replicas, strategy, surge, unavailable, spec.path("minReadySeconds").asInt(0),
                spec.path("paused").asBoolean(false),
                limited(spec.path("progressDeadlineSeconds"), 600).map(Duration::ofSeconds),
                limited(spec.path("revisionHistoryLimit"), 10));
    }

    String name() {
        return item.key().name();
    }

    JsonNode template() {
        return item.tree().at("/spec/template");
    }

    int mostReplicas() {
        return replicas + maxSurge;
    }

    int leastAvailable() {
        return replicas - maxUnavailable;
    }

    /** The greatest number stands for none. */
    private static Optional<Integer> limited(JsonNode value, int usual) {
        int limit = value.asInt(usual);
        return limit == Integer.MAX_VALUE ? Optional.empty() : Optional.of(limit);
    }
}
