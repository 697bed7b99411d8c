package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The numbers in a Job's status while they are counted. A pod that has come to its end is first listed as uncounted, then
 * loses its finalizer, and then counts: so none is counted twice, whatever happens in between.
 */
final class JobStatus {
    String startTime;
    int active;
    int ready;
    int terminating;
    int succeeded;
    int failed;
    String completedIndexes;
    String failedIndexes;
    final Set<String> uncountedSucceeded = new LinkedHashSet<>();
    final Set<String> uncountedFailed = new LinkedHashSet<>();

    static JobStatus of(JsonNode job) {
        JsonNode status = job.path("status");
        JobStatus read = new JobStatus();
        read.startTime = status.path("startTime").asText("");
        read.active = status.path("active").asInt();
        read.succeeded = status.path("succeeded").asInt();
        read.failed = status.path("failed").asInt();
        read.completedIndexes = status.path("completedIndexes").asText("");
        read.failedIndexes = status.path("failedIndexes").asText("");
        status.at("/uncountedTerminatedPods/succeeded").forEach(uid -> read.uncountedSucceeded.add(uid.asText()));
        status.at("/uncountedTerminatedPods/failed").forEach(uid -> read.uncountedFailed.add(uid.asText()));
        return read;
    }

    /** Counts the uncounted that have no finalizer any more. @param tracked uids of pods that have it */
    void settle(Set<String> tracked, JobSpec spec) {
        int before = uncountedSucceeded.size();
        uncountedSucceeded.removeIf(uid -> !tracked.contains(uid));
        if (!spec.isIndexed()) {
            succeeded += before - uncountedSucceeded.size();
        }
        before = uncountedFailed.size();
        uncountedFailed.removeIf(uid -> !tracked.contains(uid));
        failed += before - uncountedFailed.size();
    }

    boolean isSettled() {
        return uncountedSucceeded.isEmpty() && uncountedFailed.isEmpty();
    }

    void write(ObjectNode job) {
        ObjectNode status = job.withObjectProperty("status");
        text(status, "startTime", startTime);
        number(status, "active", active);
        number(status, "succeeded", succeeded);
        number(status, "failed", failed);
        text(status, "completedIndexes", completedIndexes);
        text(status, "failedIndexes", failedIndexes);
        status.put("ready", ready).put("terminating", terminating);
        ObjectNode uncounted = status.putObject("uncountedTerminatedPods");
        list(uncounted, "succeeded", uncountedSucceeded);
        list(uncounted, "failed", uncountedFailed);
    }

    private static void text(ObjectNode status, String field, String text) {
        if (text.isEmpty()) {
            status.remove(field);
        } else {
            status.put(field, text);
        }
    }

    /** 0 is left out, as {@code omitempty} has it. */
    private static void number(ObjectNode status, String field, int number) {
        if (number == 0) {
            status.remove(field);
        } else {
            status.put(field, number);
        }
    }

    private static void list(ObjectNode uncounted, String field, Set<String> uids) {
        if (!uids.isEmpty()) {
            ArrayNode list = uncounted.putArray(field);
            uids.forEach(list::add);
        }
    }
}
