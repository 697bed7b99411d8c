package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.cron.Schedule;
import dev.pitwall.lab.kube.cron.ScheduleRefusal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/** What the schedule of a CronJob must be like. [kubernetes: pkg/apis/batch/validation, validateCronJobSpec] */
final class CronRules {
    /** The time of a start is appended to its Jobs' names: eleven characters of 63. */
    private static final int LONGEST_NAME = 52;

    private CronRules() {
    }

    static void check(JsonNode cronJob, List<Problem> problems) {
        String name = cronJob.at("/metadata/name").asText();
        if (name.length() > LONGEST_NAME) {
            problems.add(Problem.invalid("metadata.name", Problem.quoted(name), "must be no more than " + LONGEST_NAME
                    + " characters"));
        }
        String schedule = cronJob.at("/spec/schedule").asText("");
        if (!schedule.isEmpty()) {
            schedule(schedule, problems);
        }
        JsonNode zone = cronJob.at("/spec/timeZone");
        if (zone.isTextual()) {
            zone(zone.asText(), problems);
        }
    }

    private static void schedule(String schedule, List<Problem> problems) {
        if (schedule.contains("TZ")) {
            problems.add(Problem.invalid("spec.schedule", Problem.quoted(schedule),
                    "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
            return;
        }
        try {
            Schedule.parse(schedule, ZoneOffset.UTC);
        } catch (ScheduleRefusal refused) {
            problems.add(Problem.invalid("spec.schedule", Problem.quoted(schedule), refused.getMessage()));
        }
    }

    private static void zone(String zone, List<Problem> problems) {
        if (zone.isEmpty()) {
            problems.add(Problem.invalid("spec.timeZone", "\"\"", "timeZone must be nil or non-empty string"));
        } else if (zone.equalsIgnoreCase("Local")) {
            problems.add(Problem.invalid("spec.timeZone", Problem.quoted(zone),
                    "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"));
        } else if (!ZoneId.getAvailableZoneIds().contains(zone)) {
            problems.add(Problem.invalid("spec.timeZone", Problem.quoted(zone), "unknown time zone " + zone));
        }
    }
}
