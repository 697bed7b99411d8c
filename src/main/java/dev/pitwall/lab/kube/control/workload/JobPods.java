package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The pods of a Job at one moment, and what of them its status does not count yet. */
final class JobPods {
    /** Failures of an index before the pod that carries it. */
    static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";
    /** Of them those that its policy ignores. */
    static final String IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";

    private final List<JobPod> all;
    private final JobSpec spec;
    private final Set<String> uncountedFailed;
    private final Set<String> uncountedSucceeded;

    JobPods(List<JobPod> all, JobSpec spec, JobStatus status) {
        this.all = all;
        this.spec = spec;
        this.uncountedFailed = Set.copyOf(status.uncountedFailed);
        this.uncountedSucceeded = Set.copyOf(status.uncountedSucceeded);
    }

    List<JobPod> all() {
        return all;
    }

    /** Uids of pods that are not counted for good. */
    Set<String> tracked() {
        return tracked(all);
    }

    static Set<String> tracked(List<JobPod> pods) {
        return pods.stream().filter(JobPod::tracked).map(JobPod::uid).collect(Collectors.toSet());
    }

    List<JobPod> active() {
        return which(JobPod::isActive);
    }

    int terminating() {
        return which(JobPod::isTerminating).size();
    }

    List<JobPod> newlySucceeded() {
        return which(pod -> isNew(pod) && pod.hasSucceeded());
    }

    List<JobPod> newlyFailed() {
        return which(pod -> isNew(pod) && pod.hasFailed(spec));
    }

    /** Newly failed ones that count against the limit. */
    int newFailures() {
        return (int) newlyFailed().stream().filter(pod -> spec.failurePolicy().of(pod).counts()).count();
    }

    boolean isUncounted(JobPod pod) {
        return uncountedFailed.contains(pod.uid()) || uncountedSucceeded.contains(pod.uid());
    }

    /** It has an index that the Job wants, or needs none. */
    boolean isWanted(JobPod pod) {
        return !spec.isIndexed() || pod.index().isPresent()
                && pod.index().getAsInt() < spec.completions().orElse(0);
    }

    /** Indexes that have succeeded since the status was written. */
    Set<Integer> succeededIndexes() {
        return indexes(which(pod -> pod.tracked() && pod.hasSucceeded() && isWanted(pod)));
    }

    Set<Integer> activeIndexes() {
        return indexes(active());
    }

    /** Indexes that a pod is at work on, or is still to end for where another has to wait for that. */
    Set<Integer> busyIndexes() {
        return indexes(which(pod -> pod.isActive()
                || spec.replacement() == JobSpec.Replacement.FAILED && pod.isTerminating()));
    }

    /** Indexes whose failures are at their own limit. [kubernetes: job/indexed_job_utils.go, isIndexFailed] */
    Set<Integer> failedIndexes() {
        return indexes(which(pod -> pod.tracked() && isWanted(pod) && pod.hasFailed(spec) && exhausts(pod)));
    }

    private boolean exhausts(JobPod pod) {
        FailurePolicy.Verdict verdict = spec.failurePolicy().of(pod);
        return verdict.action() == FailurePolicy.Action.FailIndex
                || verdict.counts() && number(pod, FAILURES) >= spec.limitPerIndex().orElse(Integer.MAX_VALUE);
    }

    /**
     * The last failed pod of each index that waits for another: it stays until that has taken over its count.
     *
     * @param done indexes that need no other pod
     */
    Map<Integer, JobPod> waiting(Set<Integer> done) {
        Map<Integer, JobPod> last = new HashMap<>();
        Set<Integer> busy = new HashSet<>(activeIndexes());
        for (JobPod pod : all) {
            if (pod.tracked() && isWanted(pod) && pod.hasFailed(spec)) {
                int index = pod.index().orElseThrow();
                if (!done.contains(index) && !busy.contains(index)) {
                    last.merge(index, pod, JobPods::later);
                }
            }
        }
        return last;
    }

    private static JobPod later(JobPod one, JobPod other) {
        boolean more = failures(one) <= failures(other) && !other.finishedAt().isBefore(one.finishedAt());
        return more ? other : one;
    }

    /** All failures before a pod. */
    static int failures(JobPod pod) {
        return number(pod, FAILURES) + number(pod, IGNORED);
    }

    static int number(JobPod pod, String annotation) {
        JsonNode annotations = pod.tree().path("metadata").path("annotations");
        return annotations.path(annotation).asInt(0);
    }

    static List<Instant> ends(List<JobPod> pods) {
        return pods.stream().map(JobPod::finishedAt).toList();
    }

    private boolean isNew(JobPod pod) {
        return pod.tracked() && !isUncounted(pod) && isWanted(pod);
    }

    private List<JobPod> which(Predicate<JobPod> condition) {
        return all.stream().filter(condition).toList();
    }

    private static Set<Integer> indexes(List<JobPod> pods) {
        Set<Integer> indexes = new TreeSet<>();
        pods.forEach(pod -> pod.index().ifPresent(indexes::add));
        return indexes;
    }

    /** Active pods whose index another has too, or that the Job does not want: they go first. */
    List<JobPod> superfluous() {
        List<JobPod> found = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (JobPod pod : spec.isIndexed() ? active() : List.<JobPod>of()) {
            if (!isWanted(pod) || !seen.add(pod.index().orElseThrow())) {
                found.add(pod);
            }
        }
        return found;
    }
}
