package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a CronJob asks for, with the defaults of the API server where an object leaves them out.
 *
 * @param zone       name of its time zone; empty for that of kube-controller-manager
 * @param deadline   seconds after which a start is missed; empty for never
 * @param successful finished Jobs that are kept
 * @param failed     the same for failed ones
 */
record CronSpec(JsonNode tree, String schedule, Optional<String> zone, Concurrency concurrency, boolean suspended,
                OptionalLong deadline, int successful, int failed) {
    private static final int SUCCESSFUL = 3;
    private static final int FAILED = 1;

    /** What becomes of a start while the one before is still at work. */
    enum Concurrency { ALLOW, FORBID, REPLACE }

    static CronSpec of(JsonNode cronJob) {
        JsonNode spec = cronJob.path("spec");
        JsonNode deadline = spec.path("startingDeadlineSeconds");
        return new CronSpec(spec, spec.path("schedule").asText(""),
                Optional.of(spec.path("timeZone").asText("")).filter(zone -> !zone.isEmpty()),
                Concurrency.valueOf(spec.path("concurrencyPolicy").asText("Allow").toUpperCase(Locale.ROOT)),
                spec.path("suspend").asBoolean(),
                deadline.isNumber() ? OptionalLong.of(deadline.asLong()) : OptionalLong.empty(),
                spec.path("successfulJobsHistoryLimit").asInt(SUCCESSFUL),
                spec.path("failedJobsHistoryLimit").asInt(FAILED));
    }
}
