package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.OmitEmpty;
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
        OmitEmpty.put(status, "startTime", startTime);
        OmitEmpty.put(status, "active", active);
        OmitEmpty.put(status, "succeeded", succeeded);
        OmitEmpty.put(status, "failed", failed);
        OmitEmpty.put(status, "completedIndexes", completedIndexes);
        OmitEmpty.put(status, "failedIndexes", failedIndexes);
        status.put("ready", ready).put("terminating", terminating);
        ObjectNode uncounted = status.putObject("uncountedTerminatedPods");
        list(uncounted, "succeeded", uncountedSucceeded);
        list(uncounted, "failed", uncountedFailed);
    }

    private static void list(ObjectNode uncounted, String field, Set<String> uids) {
        if (!uids.isEmpty()) {
            ArrayNode list = uncounted.putArray(field);
            uids.forEach(list::add);
        }
    }
}
