package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.WorkQueue;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.rules.JobIdentity;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Job controller: pods until enough have succeeded or too many have failed, each counted once; and the controller
 * that takes finished Jobs away when their time is over.
 */
public final class Jobs implements Controller {
    private final ControlPlane plane;
    private final PodMaker maker;
    private final Claims claims;
    private final Workloads jobs;
    private final WorkQueue queue = new WorkQueue();
    /** Pods that may have lost their Job. */
    private final WorkQueue orphans = new WorkQueue();
    private final Map<String, FailureDelay> delays = new HashMap<>();

    public Jobs(ControlPlane shared) {
        this.plane = shared.as("job-controller");
        this.maker = new PodMaker(plane);
        this.claims = new Claims(plane);
        this.jobs = new Workloads(plane, Resource.JOBS);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.JOBS, Resource.PODS);
    }

    @Override
    public Instant act(Instant now) {
        Instant orphansDue = orphans.work(now, this::orphan);
        Instant due = queue.work(now, this::sync);
        return Moments.earlier(due, orphansDue);
    }

    @Override
    public void seen(StoredObject object) {
        if (jobs.isOne(object)) {
            jobs.put(object);
            queue.add(object.key());
        } else {
            podChanged();
        }
    }

    @Override
    public void gone(StoredObject object) {
        if (jobs.isOne(object)) {
            jobs.remove(object);
            delays.remove(object.uid());
            plane.pods().ownedBy(object.uid()).forEach(pod -> orphans.add(pod.key()));
        } else {
            podChanged();
        }
    }

    private void podChanged() {
        Pods.News news = plane.pods().news();
        PodFacts pod = news.last();
        jobs.find(pod.ownerUid()).ifPresent(queue::add);
        news.before().flatMap(before -> jobs.find(before.ownerUid())).ifPresent(queue::add);
        boolean left = news.before().filter(before -> before.ownerKind().equals("Job")).isPresent();
        if (jobs.find(pod.ownerUid()).isEmpty() && (left || pod.ownerKind().equals("Job") || pod.ownerUid().isEmpty())) {
            orphans.add(pod.key());
        }
    }

    /** A pod that no Job waits for need not wait for its Job: it loses its finalizer. One that a Job selects is its. */
    private void orphan(ObjectKey key, Instant now) {
        Optional<PodFacts> found = plane.pods().find(key).filter(pod -> jobs.find(pod.ownerUid()).isEmpty());
        if (found.isEmpty()) {
            return;
        }
        PodFacts pod = found.get();
        List<Item> takers = pod.ownerUid().isEmpty() ? takers(pod) : List.of();
        if (takers.isEmpty() && JobPod.isTracked(pod.object().tree())) {
            plane.hand().change(key, JobLedger::untrack);
        }
        takers.forEach(job -> queue.add(job.key()));
    }

    private List<Item> takers(PodFacts pod) {
        return plane.objects().in(Resource.JOBS, pod.key().namespace()).stream()
                .filter(job -> !job.isLeaving() && JobVerdict.finished(job.tree()).isMissingNode())
                .filter(job -> Claims.selector(job.tree()).test(pod.labels())).toList();
    }

    private void sync(ObjectKey key, Instant now) {
        Optional<Item> found = plane.objects().find(key);
        if (found.isEmpty()) {
            return;
        }
        Item job = found.get();
        JobSpec spec = JobSpec.of(job.tree());
        JsonNode finished = JobVerdict.finished(job.tree());
        if (!finished.isMissingNode()) {
            delays.remove(job.uid());
            expire(job, spec, Instant.parse(finished.path("lastTransitionTime").asText()), now);
        } else if (!spec.isOthers()) {
            spec.selector().ifPresentOrElse(selector -> turn(job, selector, now),
                    // An API server has given it one; what is written into the store has none yet.
                    () -> plane.hand().change(key, JobIdentity::give));
        }
    }

    private void turn(Item job, JsonNode selector, Instant now) {
        Owner owner = Owner.of(job, "batch/v1", "Job", "job-controller");
        List<PodFacts> pods = claims.pods(owner, Selector.of(selector), pod -> true).stream().map(this::tracked).toList();
        FailureDelay delay = delays.computeIfAbsent(job.uid(), uid -> new FailureDelay());
        JobTurn.Outcome outcome = new JobTurn(plane, maker, job, owner, pods, delay, now).take();
        if (outcome.refused().isPresent()) {
            queue.failed(job.key(), now);
        }
        if (outcome.due().isBefore(Instant.MAX)) {
            queue.at(job.key(), outcome.due());
        }
    }

    /** A pod that was nobody's has to be counted from now on. */
    private PodFacts tracked(PodFacts pod) {
        return pod.ownerUid().isEmpty()
                ? plane.hand().change(pod.key(), JobPodMaker::track).map(PodFacts::of).orElse(pod) : pod;
    }

    /** As the TTL controller: what depends on the Job goes before it. */
    private void expire(Item job, JobSpec spec, Instant finished, Instant now) {
        if (spec.ttl().isEmpty() || job.isLeaving()) {
            return;
        }
        Instant over = finished.plusSeconds(spec.ttl().getAsLong());
        if (over.isAfter(now)) {
            queue.at(job.key(), over);
        } else {
            plane.hand().deleteInForeground(job.key(), job.uid());
        }
    }
}
