package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One look at a Job that has not ended: pods that have come to their end are counted, pods are made or deleted, and its
 * status says so. [kubernetes: job_controller.go, syncJob and manageJob]
 */
final class JobTurn {
    /** Pods made or deleted in one turn. */
    private static final int BURST = 500;

    private final ControlPlane plane;
    private final PodMaker maker;
    private final JobPodMaker pods;
    private final Item job;
    private final Owner owner;
    private final JobSpec spec;
    private final JobPods known;
    private final JobStatus status;
    private final FailureDelay delay;
    private final Instant now;
    private final Set<Integer> succeededIndexes = new TreeSet<>();
    private final Set<Integer> failedIndexes = new TreeSet<>();
    private Map<Integer, JobPod> waiting = Map.of();
    private Instant due = Instant.MAX;
    private Optional<String> refused = Optional.empty();

    /**
     * @param due     when it is to be looked at again though nothing has changed; {@link Instant#MAX} for never
     * @param refused why a pod could not be made
     */
    record Outcome(Instant due, Optional<String> refused) {
    }

    /** @param pods all pods that are the Job's */
    JobTurn(ControlPlane plane, PodMaker maker, Item job, Owner owner, List<PodFacts> pods, FailureDelay delay,
            Instant now) {
        this.plane = plane;
        this.maker = maker;
        this.job = job;
        this.owner = owner;
        this.spec = JobSpec.of(job.tree());
        this.pods = new JobPodMaker(maker, job, owner, spec);
        this.status = JobStatus.of(job.tree());
        List<JobPod> seen = pods.stream().map(JobPod::of).toList();
        // What a turn before could not finish.
        status.settle(JobPods.tracked(seen), spec);
        this.known = new JobPods(seen, spec, status);
        this.delay = delay;
        this.now = now;
    }

    Outcome take() {
        begin();
        Suspension suspension = Suspension.AS_IT_WAS;
        Optional<JobVerdict> verdict = verdict();
        if (verdict.isPresent()) {
            deleteAll(known.active());
        } else {
            if (!job.isLeaving()) {
                manage();
            }
            verdict = isComplete() ? Optional.of(JobVerdict.success("CompletionsReached",
                    "Reached expected number of succeeded pods")) : Optional.empty();
            suspension = verdict.isPresent() || job.isLeaving() ? Suspension.AS_IT_WAS : suspension();
        }
        Optional<JobVerdict> end = verdict;
        new JobLedger(plane, maker, owner, spec, known, status).close(end, suspension, pod -> letsGo(pod, end), now);
        return new Outcome(due, refused);
    }

    private void begin() {
        delay.add(JobPods.ends(known.newlySucceeded()), JobPods.ends(known.newlyFailed()));
        if (status.startTime.isEmpty() && !spec.suspended()) {
            status.startTime = Timestamp.of(now);
        }
        List<JobPod> active = known.active();
        status.active = active.size();
        status.ready = (int) active.stream().filter(pod -> pod.facts().ready()).count();
        status.terminating = known.terminating();
        if (spec.isIndexed()) {
            indexes();
        }
    }

    private void indexes() {
        int limit = spec.completions().orElse(0);
        succeededIndexes.addAll(Indexes.parse(status.completedIndexes, limit));
        succeededIndexes.addAll(known.succeededIndexes());
        if (spec.limitPerIndex().isPresent()) {
            failedIndexes.addAll(Indexes.parse(status.failedIndexes, limit));
            failedIndexes.addAll(known.failedIndexes());
            failedIndexes.removeAll(succeededIndexes);
            waiting = known.waiting(done());
            status.failedIndexes = Indexes.format(failedIndexes);
        }
        status.completedIndexes = Indexes.format(succeededIndexes);
        status.succeeded = succeededIndexes.size();
    }

    private Set<Integer> done() {
        Set<Integer> done = new HashSet<>(succeededIndexes);
        done.addAll(failedIndexes);
        return done;
    }

    private int succeeded() {
        return spec.isIndexed() ? succeededIndexes.size()
                : status.succeeded + known.newlySucceeded().size() + status.uncountedSucceeded.size();
    }

    private Optional<JobVerdict> verdict() {
        return JobVerdict.standing(job.tree()).or(this::policyFailure).or(this::limitFailure).or(this::deadlineFailure)
                .or(this::indexFailure).or(() -> spec.isIndexed() ? SuccessPolicy.of(spec, succeededIndexes)
                        : Optional.empty());
    }

    private Optional<JobVerdict> policyFailure() {
        return known.all().stream().filter(pod -> pod.hasFailed(spec)).map(spec.failurePolicy()::of)
                .filter(verdict -> verdict.action() == FailurePolicy.Action.FailJob).findFirst()
                .map(verdict -> JobVerdict.failure("PodFailurePolicy", verdict.message()));
    }

    private Optional<JobVerdict> limitFailure() {
        int failed = status.failed + known.newFailures() + status.uncountedFailed.size();
        return failed > spec.backoffLimit() || restartsReachLimit() ? Optional.of(JobVerdict.failure(
                "BackoffLimitExceeded", "Job has reached the specified backoff limit")) : Optional.empty();
    }

    /** Where the kubelet restarts what failed, no pod fails: the restarts of those that run are counted. */
    private boolean restartsReachLimit() {
        if (spec.restarts() == JobSpec.Restarts.NEVER) {
            return false;
        }
        int restarts = known.all().stream().filter(pod -> !pod.facts().isDone()).mapToInt(JobPod::restarts).sum();
        return spec.backoffLimit() == 0 ? restarts > 0 : restarts >= spec.backoffLimit();
    }

    private Optional<JobVerdict> deadlineFailure() {
        if (spec.deadline().isEmpty() || spec.suspended() || status.startTime.isEmpty()) {
            return Optional.empty();
        }
        Instant end = Instant.parse(status.startTime).plusSeconds(spec.deadline().getAsLong());
        if (end.isAfter(now)) {
            again(end);
            return Optional.empty();
        }
        return Optional.of(JobVerdict.failure("DeadlineExceeded", "Job was active longer than specified deadline"));
    }

    private Optional<JobVerdict> indexFailure() {
        if (spec.mostFailedIndexes().isPresent() && failedIndexes.size() > spec.mostFailedIndexes().getAsInt()) {
            return Optional.of(JobVerdict.failure("MaxFailedIndexesExceeded",
                    "Job has exceeded the specified maximal number of failed indexes"));
        }
        return !failedIndexes.isEmpty() && done().size() >= spec.completions().orElse(0)
                ? Optional.of(JobVerdict.failure("FailedIndexes", "Job has failed indexes")) : Optional.empty();
    }

    private boolean isComplete() {
        return spec.completions().isPresent() ? succeeded() >= spec.completions().getAsInt()
                : succeeded() > 0 && status.active == 0;
    }

    private void manage() {
        List<JobPod> active = known.active();
        int wanted = spec.suspended() ? 0 : wanted(active.size());
        List<JobPod> superfluous = spec.suspended() ? active : superfluous(active, wanted);
        int held = spec.replacement() == JobSpec.Replacement.FAILED ? status.terminating : 0;
        int missing = Math.min(wanted - held - active.size(), BURST);
        if (!superfluous.isEmpty()) {
            // Either pods are deleted or pods are made, not both in one turn.
            deleteAll(superfluous);
        } else if (missing > 0 && spec.limitPerIndex().isPresent()) {
            createIndexes(missing);
        } else if (missing > 0 && delay.over().isAfter(now)) {
            again(delay.over());
        } else if (missing > 0 && spec.isIndexed()) {
            createIndexes(missing);
        } else {
            for (int i = 0; i < missing && refused.isEmpty(); i++) {
                made(pods.create(now));
            }
        }
    }

    private int wanted(int active) {
        if (spec.completions().isEmpty()) {
            // Once one has succeeded, the work is done: whatever runs may end.
            return succeeded() > 0 ? active : spec.parallelism();
        }
        return Math.clamp((long) spec.completions().getAsInt() - succeeded(), 0, spec.parallelism());
    }

    private List<JobPod> superfluous(List<JobPod> active, int wanted) {
        List<JobPod> found = new ArrayList<>(known.superfluous());
        int more = active.size() - wanted - found.size();
        if (more > 0) {
            Set<String> taken = new HashSet<>();
            found.forEach(pod -> taken.add(pod.uid()));
            List<PodFacts> rest = active.stream().filter(pod -> !taken.contains(pod.uid())).map(JobPod::facts).toList();
            DeletionOrder.first(rest, more, now).forEach(facts -> active.stream()
                    .filter(pod -> pod.facts() == facts).forEach(found::add));
        }
        return found.size() > BURST ? found.subList(0, BURST) : found;
    }

    private void deleteAll(List<JobPod> doomed) {
        for (JobPod pod : doomed) {
            maker.delete(pod.facts(), owner, now);
            status.active--;
            status.terminating++;
            status.ready -= pod.facts().ready() ? 1 : 0;
        }
    }

    private void createIndexes(int missing) {
        Set<Integer> taken = done();
        taken.addAll(known.busyIndexes());
        int left = missing;
        for (int index = 0; index < spec.completions().orElse(0) && left > 0 && refused.isEmpty(); index++) {
            if (!taken.contains(index)) {
                Optional<JobPod> before = Optional.ofNullable(waiting.get(index));
                Instant over = before.map(pod -> FailureDelay.over(JobPods.failures(pod) + 1, pod.finishedAt()))
                        .orElse(Instant.MIN);
                if (over.isAfter(now)) {
                    again(over);
                } else {
                    made(pods.create(index, before, now));
                }
                left--;
            }
        }
    }

    private void made(Optional<String> refusal) {
        refused = refusal;
        status.active += refusal.isEmpty() ? 1 : 0;
    }

    private void again(Instant moment) {
        due = Moments.earlier(due, moment);
    }

    /** True if a pod's finalizer has done its service. [kubernetes: job_controller.go, canRemoveFinalizer] */
    private boolean letsGo(JobPod pod, Optional<JobVerdict> verdict) {
        if (job.isLeaving() || verdict.isPresent() || pod.hasSucceeded()) {
            return true;
        }
        // The pod that takes over its count of failures has to be there first.
        return pod.hasFailed(spec) && waiting.values().stream().noneMatch(kept -> kept.uid().equals(pod.uid()));
    }

    private Suspension suspension() {
        Suspension changed = Suspension.of(job.tree(), spec.suspended());
        if (changed == Suspension.RESUMED) {
            status.startTime = Timestamp.of(now);
        }
        return changed;
    }
}
