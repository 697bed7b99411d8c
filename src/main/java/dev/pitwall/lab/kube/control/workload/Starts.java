package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.cron.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The starts of a CronJob since it last started, as its schedule has them. [kubernetes: cronjob/utils.go,
 * mostRecentScheduleTime]
 *
 * @param since when it was last looked at for a start: made, started, or where its deadline begins
 */
record Starts(Schedule schedule, Instant since) {
    private static final long MANY = 100;

    /** @param last the latest start that is due; empty if none is. @param missed more were missed than one looks after */
    record Due(Optional<Instant> last, boolean missed) {
    }

    /** True if the schedule never comes, such as on the 31st of February. */
    boolean isNever() {
        return schedule.next(since).isEmpty();
    }

    Due due(Instant now) {
        Optional<Instant> first = schedule.next(since);
        Optional<Instant> second = first.flatMap(schedule::next);
        if (first.isEmpty() || first.get().isAfter(now)) {
            return new Due(Optional.empty(), false);
        }
        if (second.isEmpty() || second.get().isAfter(now)) {
            return new Due(first, false);
        }
        long between = Duration.between(first.get(), second.get()).toSeconds();
        long number = Duration.between(first.get(), now).toSeconds() / between + 1;
        // A schedule need not be regular: near its end by the first interval, then one after the other.
        Instant near = first.get().plusSeconds((number - 2) * between);
        Optional<Instant> last = last(near, now).or(() -> last(first.get(), now)).or(() -> first);
        return new Due(last, number > MANY);
    }

    private Optional<Instant> last(Instant from, Instant now) {
        Optional<Instant> last = Optional.empty();
        Optional<Instant> next = schedule.next(from);
        while (next.isPresent() && !next.get().isAfter(now)) {
            last = next;
            next = schedule.next(next.get());
        }
        return last;
    }

    /** The start after the latest that is due. */
    Optional<Instant> next(Instant now) {
        return schedule.next(due(now).last().orElse(since));
    }
}
