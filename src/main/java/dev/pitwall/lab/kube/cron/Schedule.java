package dev.pitwall.lab.kube.cron;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** When something is due. Kubernetes reads it with {@code ParseStandard} of github.com/robfig/cron/v3. */
public sealed interface Schedule permits FieldSchedule, Interval {
    /** Names for common schedules. */
    Map<String, String> NAMED = Map.of("@yearly", "0 0 1 1 *", "@annually", "0 0 1 1 *", "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0", "@daily", "0 0 * * *", "@midnight", "0 0 * * *", "@hourly", "0 * * * *");
    /** Minute, hour, day of the month, month, day of the week. */
    int FIELDS = 5;

    /** The first moment after another; empty if there is none in the next five years. */
    Optional<Instant> next(Instant after);

    /**
     * Reads a schedule.
     *
     * @param zone where its hours are told
     * @throws ScheduleRefusal if it is none
     */
    static Schedule parse(String text, ZoneId zone) throws ScheduleRefusal {
        if (text.isEmpty()) {
            throw new ScheduleRefusal("empty spec string");
        }
        if (text.startsWith(Interval.PREFIX)) {
            return Interval.parse(text);
        }
        String spec = NAMED.getOrDefault(text, text);
        if (spec.startsWith("@")) {
            throw new ScheduleRefusal("unrecognized descriptor: " + text);
        }
        List<String> fields = spec.isBlank() ? List.of() : Arrays.asList(spec.strip().split("\\s+"));
        if (fields.size() != FIELDS) {
            throw new ScheduleRefusal("expected exactly 5 fields, found " + fields.size() + ": ["
                    + String.join(" ", fields) + "]");
        }
        return FieldSchedule.of(fields, zone);
    }
}
