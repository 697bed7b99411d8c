package dev.pitwall.lab.kube.control.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Failed pods of DaemonSets by node: each further one is left there longer, 1 s doubled up to 15 min, or the controller
 * and a kubelet that refuses the pod would race. Forgotten after 30 min of peace. [kubernetes: flowcontrol.Backoff]
 */
final class FailedDaemons {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private final Map<Place, Wait> waits = new HashMap<>();

    /** A node as one generation of a DaemonSet sees it. */
    record Place(String uid, long generation, String node) {
    }

    private record Wait(Duration length, Instant since) {
        boolean isOver(Instant now) {
            return since.plus(LONGEST.multipliedBy(2)).isBefore(now);
        }
    }

    /** A pod has failed and is to be deleted. @return when that may be; empty for at once, which is then counted */
    Optional<Instant> next(Place place, Instant now) {
        waits.values().removeIf(old -> old.isOver(now));
        Wait wait = waits.get(place);
        if (wait != null && now.isBefore(wait.since().plus(wait.length()))) {
            return Optional.of(wait.since().plus(wait.length()));
        }
        Duration length = wait == null ? FIRST : wait.length().multipliedBy(2);
        waits.put(place, new Wait(length.compareTo(LONGEST) > 0 ? LONGEST : length, now));
        return Optional.empty();
    }
}
