package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Closes the turn of a Job: counts pods, lets them go, and writes how the Job stands. */
final class JobLedger {
    private final ControlPlane plane;
    private final PodMaker maker;
    private final Owner owner;
    private final JobSpec spec;
    private final JobPods pods;
    private final JobStatus status;

    JobLedger(ControlPlane plane, PodMaker maker, Owner owner, JobSpec spec, JobPods pods, JobStatus status) {
        this.plane = plane;
        this.maker = maker;
        this.owner = owner;
        this.spec = spec;
        this.pods = pods;
        this.status = status;
    }

    /**
     * @param verdict how the Job ends; empty if it goes on
     * @param letsGo  pods whose finalizer has done its service
     * @throws AdmissionRefusal if a pod may not be changed; what could be done is done, the rest is for the next turn
     */
    void close(Optional<JobVerdict> verdict, Suspension suspension, Predicate<JobPod> letsGo, Instant now) {
        List<JobPod> leaving = pods.all().stream().filter(JobPod::tracked).filter(letsGo).toList();
        leaving.stream().filter(pod -> !pods.isUncounted(pod)).forEach(pod -> note(pod, verdict));
        plane.hand().status(key(), job -> {
            status.write(job);
            suspension.write(job, now);
            verdict.ifPresent(end -> condition(job, end.interim(), now));
        });
        suspension.said().ifPresent(said -> maker.event(owner, Type.Normal, said.reason(), said.message(), now));
        Set<String> kept = new HashSet<>(pods.tracked());
        Optional<AdmissionRefusal> refusal = letGo(leaving, kept);
        status.settle(kept, spec);
        boolean free = refusal.isEmpty() && status.isSettled() && status.terminating == 0;
        Optional<JobVerdict> last = verdict.filter(end -> free);
        if (!leaving.isEmpty() || last.isPresent()) {
            plane.hand().status(key(), job -> {
                status.write(job);
                last.ifPresent(end -> end(job, end, now));
            });
        }
        last.ifPresent(end -> tell(end, now));
        refusal.ifPresent(refused -> {
            throw refused;
        });
    }

    private ObjectKey key() {
        return owner.object().key();
    }

    private void note(JobPod pod, Optional<JobVerdict> verdict) {
        boolean failed = pod.hasFailed(spec) || verdict.filter(JobVerdict::isFailure).isPresent();
        if (!pods.isWanted(pod)) {
            return;
        }
        if (pod.hasSucceeded()) {
            if (!spec.isIndexed()) {
                status.uncountedSucceeded.add(pod.uid());
            }
        } else if (failed && spec.failurePolicy().of(pod).counts()) {
            // With the Job everything that has not succeeded fails.
            status.uncountedFailed.add(pod.uid());
        }
    }

    private Optional<AdmissionRefusal> letGo(List<JobPod> leaving, Set<String> kept) {
        Optional<AdmissionRefusal> refusal = Optional.empty();
        for (JobPod pod : leaving) {
            try {
                plane.hand().change(pod.facts().key(), JobLedger::untrack);
                kept.remove(pod.uid());
            } catch (AdmissionRefusal refused) {
                refusal = Optional.of(refused);
            }
        }
        return refusal;
    }

    /** Takes a pod's finalizer: whoever deletes it, or has deleted it, need not wait for its Job any more. */
    static void untrack(ObjectNode pod) {
        Finalizers.remove(pod, JobPod.FINALIZER);
    }

    private static void end(ObjectNode job, JobVerdict verdict, Instant now) {
        condition(job, verdict.last(), now);
        if (!verdict.isFailure()) {
            job.withObjectProperty("status").put("completionTime", Timestamp.of(now));
        }
    }

    /** A Job's condition also says when it was looked at, which is only when it changes. */
    static void condition(ObjectNode job, Conditions.Condition wanted, Instant now) {
        boolean stands = Conditions.find(job, wanted.type()).path("status").asText("").equals(wanted.status());
        ObjectNode condition = Conditions.set(job, wanted, now);
        if (!stands) {
            condition.put("lastProbeTime", Timestamp.of(now));
        }
    }

    private void tell(JobVerdict verdict, Instant now) {
        if (verdict.isFailure()) {
            maker.event(owner, Type.Warning, verdict.reason(), verdict.message(), now);
            return;
        }
        if (spec.completions().isPresent() && status.succeeded > spec.completions().getAsInt()) {
            maker.event(owner, Type.Warning, "TooManySucceededPods",
                    "Too many succeeded pods running after completion count reached", now);
        }
        maker.event(owner, Type.Normal, "Completed", "Job completed", now);
    }
}
