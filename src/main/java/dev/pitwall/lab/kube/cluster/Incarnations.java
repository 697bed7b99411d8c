package dev.pitwall.lab.kube.cluster;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How often a pod's place was filled anew because somebody deleted the pod in it. */
final class Incarnations {
    private final Map<String, Life> lives = new HashMap<>();

    /** @param born when the newest pod of the place came */
    record Life(int number, Instant born) {
    }

    /** The place's newest life; empty while the first pod is in it. */
    Optional<Life> of(String place) {
        return Optional.ofNullable(lives.get(place));
    }

    void next(String place, Instant born) {
        lives.merge(place, new Life(1, born), (old, fresh) -> new Life(old.number() + 1, born));
    }
}
