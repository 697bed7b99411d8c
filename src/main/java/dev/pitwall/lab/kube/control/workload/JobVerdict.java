package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Conditions;
import java.util.Optional;

/**
 * How a Job ends and why. It is decided first and said in an interim condition; the final one comes when no pod is left.
 *
 * @param message the controller's words
 */
record JobVerdict(End end, String reason, String message) {
    enum End {
        SUCCESS("SuccessCriteriaMet", "Complete"), FAILURE("FailureTarget", "Failed");

        private final String interim;
        private final String last;

        End(String interim, String last) {
            this.interim = interim;
            this.last = last;
        }
    }

    static JobVerdict failure(String reason, String message) {
        return new JobVerdict(End.FAILURE, reason, message);
    }

    static JobVerdict success(String reason, String message) {
        return new JobVerdict(End.SUCCESS, reason, message);
    }

    /** What was decided before. */
    static Optional<JobVerdict> standing(JsonNode job) {
        for (End end : End.values()) {
            JsonNode condition = Conditions.find(job, end.interim);
            if (condition.path("status").asText("").equals("True")) {
                return Optional.of(new JobVerdict(end, condition.path("reason").asText(""),
                        condition.path("message").asText("")));
            }
        }
        return Optional.empty();
    }

    /** The final condition of a Job that has ended; a missing node before. */
    static JsonNode finished(JsonNode job) {
        JsonNode complete = Conditions.find(job, End.SUCCESS.last);
        return complete.path("status").asText("").equals("True") ? complete : failed(job);
    }

    private static JsonNode failed(JsonNode job) {
        JsonNode failed = Conditions.find(job, End.FAILURE.last);
        return failed.path("status").asText("").equals("True") ? failed : failed.path("none");
    }

    boolean isFailure() {
        return end == End.FAILURE;
    }

    Conditions.Condition interim() {
        return new Conditions.Condition(end.interim, "True", reason, message);
    }

    Conditions.Condition last() {
        return new Conditions.Condition(end.last, "True", reason, message);
    }
}
