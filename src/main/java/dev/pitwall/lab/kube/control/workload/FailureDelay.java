package dev.pitwall.lab.kube.control.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How long a Job waits before it makes a pod after failures in a row: 10 s, doubled with each, at most 10 minutes. (Six
 * minutes are documented; since 1.28 the controller has ten.) [kubernetes: job_controller.go, MaxJobPodFailureBackOff;
 * backoff_utils.go]
 */
final class FailureDelay {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private int failures;
    private Optional<Instant> last = Optional.empty();

    /** Pods have come to their end since the last time. */
    void add(List<Instant> succeeded, List<Instant> failed) {
        Optional<Instant> success = succeeded.stream().max(Instant::compareTo);
        if (success.isPresent()) {
            failures = 0;
            last = Optional.empty();
        }
        failed.stream().filter(moment -> success.isEmpty() || moment.isAfter(success.get())).forEach(moment -> {
            failures++;
            last = last.filter(before -> before.isAfter(moment)).or(() -> Optional.of(moment));
        });
    }

    /** From when the next pod may be made; long ago if nothing has failed. */
    Instant over() {
        return last.map(moment -> over(failures, moment)).orElse(Instant.MIN);
    }

    /** The same for failures that are counted elsewhere. */
    static Instant over(int failures, Instant last) {
        if (failures == 0) {
            return Instant.MIN;
        }
        Duration wait = FIRST;
        for (int i = 1; i < failures && wait.compareTo(LONGEST) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return last.plus(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    }
}
