package dev.pitwall.lab.kube.cluster;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Which pod is in each place of a controller. A pod never goes back: one that is bound is not unbound, one that runs
 * does not initialize again. When a place's life does, or when somebody deletes the pod, another pod is in it, with
 * another name and a new age. Used by one thread.
 */
final class Incarnations {
    private static final int EMPTY = 99;

    private final Map<String, Pod> pods = new HashMap<>();

    /**
     * @param number  counts the pods of a place
     * @param born    when it was created
     * @param changed when its place's life last went on
     */
    record Pod(int number, Instant born, int stage, Instant changed) {
    }

    /** The pod that lives this life in a place. */
    Pod of(String place, PodLife life, Instant now) {
        int stage = stage(life);
        return pods.compute(place, (p, pod) -> {
            if (pod == null) {
                return new Pod(0, life.born(), stage, life.born());
            }
            if (stage < pod.stage() && !(isStarted(stage) && isStarted(pod.stage())
                    && !life.born().isAfter(pod.born()))) {
                Instant born = life.born().isAfter(pod.born()) ? life.born() : now;
                return new Pod(pod.number() + 1, born, stage, now);
            }
            return stage == pod.stage() ? pod : new Pod(pod.number(), pod.born(), stage, now);
        });
    }

    /** Somebody deleted the pod of a place. */
    void deleted(String place, Instant now) {
        pods.computeIfPresent(place, (p, pod) -> new Pod(pod.number() + 1, now, pod.stage(), now));
    }

    /** The place is empty now; whoever comes next is another pod. */
    void emptied(String place) {
        pods.computeIfPresent(place, (p, pod) -> new Pod(pod.number(), pod.born(), EMPTY, pod.changed()));
    }

    private static boolean isStarted(int stage) {
        return stage == 4 || stage == 5;
    }

    private static int stage(PodLife life) {
        return switch (life) {
            case PodLife.Unscheduled u -> 0;
            case PodLife.Held h -> 1;
            case PodLife.Initializing i -> 2;
            case PodLife.NoImage n -> 3;
            case PodLife.Starting s -> 4;
            case PodLife.Crashing c -> 4;
            case PodLife.Running r -> 5;
            case PodLife.Terminating t -> 6;
            case PodLife.Finished f -> 6;
        };
    }
}
