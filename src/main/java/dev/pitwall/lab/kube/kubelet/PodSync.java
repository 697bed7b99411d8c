package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.kubelet.PodWork.Step;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Brings pods forward, one step after the other, each when its time has come. Used under the lock of {@link Kubelets}. */
final class PodSync {
    /** The kubelet's volume operations: half a second, doubled, at most about two minutes. */
    private static final Duration FIRST_MOUNT_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_MOUNT_WAIT = Duration.ofSeconds(122);
    private static final Duration SANDBOX = Duration.ofSeconds(1);
    private static final Duration SANDBOX_AGAIN = Duration.ofSeconds(12);

    private final Surroundings around;
    private final PodEvents events;
    private final Admitting admitting;
    private final ContainerDriver containers;
    private final Termination termination;

    PodSync(Surroundings around) {
        this.around = around;
        this.events = new PodEvents(around.events());
        this.admitting = new Admitting(around);
        this.containers = new ContainerDriver(around, events);
        this.termination = new Termination(events, containers);
    }

    /** What is known of a pod; of one that was there before its kubelet knew of it, what its status says. */
    PodWork work(PodRecord record) {
        return record.work().orElseGet(() -> {
            PodWork begun = Adoption.work(record, around.programs());
            record.work(begun);
            return begun;
        });
    }

    /** Does what is due for a pod. @return when it wants to be looked at again */
    Instant sync(PodRecord record, Instant now) {
        PodWork work = work(record);
        Instant due = record.facts().deletion().isPresent() ? termination.step(record, work, now)
                : steps(record, work, now);
        boolean looks = work.step == Step.CONTAINERS && (work.told.isPresent() || work.cells().anyMatch(cell ->
                cell.running().filter(run -> run.program().followsWorld()).isPresent()));
        record.kubelet().worldly(record, looks);
        if (work.changed) {
            write(record, work, now);
        }
        if (termination.isOver(record, work)) {
            around.hand().delete(record.key(), 0);
            return Instant.MAX;
        }
        return due;
    }

    private Instant steps(PodRecord record, PodWork work, Instant now) {
        Instant deadline = deadline(work);
        if (!deadline.isAfter(now) && work.step != Step.ENDED && work.step != Step.REJECTED) {
            fail(record, work, now);
        }
        while (true) {
            Step step = work.step;
            Instant due = switch (step) {
                case ADMISSION -> admit(record, work, now);
                case VOLUMES -> mount(record, work, now);
                case SANDBOX -> sandbox(record, work, now);
                case CONTAINERS -> containers(record, work, now);
                case ENDED, REJECTED -> Instant.MAX;
            };
            if (work.step == step) {
                return step == Step.ENDED || step == Step.REJECTED ? due : Moments.earlier(due, deadline(work));
            }
        }
    }

    private static Instant deadline(PodWork work) {
        return work.activeDeadline == 0 ? Instant.MAX
                : work.begun.map(begun -> begun.plusSeconds(work.activeDeadline)).orElse(Instant.MAX);
    }

    private void fail(PodRecord record, PodWork work, Instant now) {
        work.reason = "DeadlineExceeded";
        work.message = "Pod was active on the node longer than the specified deadline";
        events.record(record, Type.Normal, "DeadlineExceeded", work.message, now);
        termination.killAll(work, End.KILLED, "Error", now, now);
        finish(record, work);
    }

    private Instant admit(PodRecord record, PodWork work, Instant now) {
        work.begun = work.begun.or(() -> Optional.of(now));
        work.changed = true;
        Optional<Admitting.Refusal> refusal = Mirror.is(record) ? Optional.empty() : admitting.refusal(record, work);
        if (refusal.isPresent()) {
            work.reason = refusal.get().reason();
            work.message = "Pod was rejected: " + refusal.get().message();
            events.record(record, Type.Warning, work.reason, refusal.get().message(), now);
            work.step = Step.REJECTED;
            release(record);
            return Instant.MAX;
        }
        work.step = Step.VOLUMES;
        return now;
    }

    private Instant mount(PodRecord record, PodWork work, Instant now) {
        if (work.retryAt.isAfter(now)) {
            return work.retryAt;
        }
        JsonNode pod = record.facts().object().tree();
        Optional<String> trouble = around.volumes().trouble(pod, record.key().namespace());
        if (trouble.isPresent()) {
            events.record(record, Type.Warning, "FailedMount", trouble.get(), now);
            Duration wait = FIRST_MOUNT_WAIT.multipliedBy(1L << Math.min(work.failures, 8));
            work.failures++;
            work.retryAt = now.plus(wait.compareTo(LONGEST_MOUNT_WAIT) > 0 ? LONGEST_MOUNT_WAIT : wait);
            return work.retryAt;
        }
        work.failures = 0;
        work.retryAt = now.plus(SANDBOX);
        work.step = Step.SANDBOX;
        return work.retryAt;
    }

    private Instant sandbox(PodRecord record, PodWork work, Instant now) {
        if (work.retryAt.isAfter(now)) {
            return work.retryAt;
        }
        String runtimeClass = record.facts().object().tree().at("/spec/runtimeClassName").asText("");
        Optional<String> trouble = runtimeTrouble(record, runtimeClass);
        if (trouble.isPresent()) {
            events.record(record, Type.Warning, "FailedCreatePodSandBox", "Failed to create pod sandbox: "
                    + trouble.get(), now);
            work.retryAt = now.plus(SANDBOX_AGAIN);
            return work.retryAt;
        }
        if (work.again) {
            events.record(record, Type.Normal, "SandboxChanged",
                    "Pod sandbox changed, it will be killed and re-created.", now);
        }
        work.address = work.hostNetwork ? record.kubelet().machine().address() : record.kubelet().claimAddress();
        work.retryAt = Instant.MIN;
        work.step = Step.CONTAINERS;
        work.changed = true;
        return now;
    }

    private Optional<String> runtimeTrouble(PodRecord record, String runtimeClass) {
        if (runtimeClass.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> handler = around.hand().find(new ObjectKey(Resource.RUNTIME_CLASSES, "", runtimeClass))
                .map(found -> found.tree().path("handler").asText());
        if (handler.isEmpty()) {
            return Optional.of("failed to get runtime handler: runtimeclass.node.k8s.io \"" + runtimeClass
                    + "\" not found");
        }
        return around.runtime().hasHandler(record.kubelet().name(), handler.get()) ? Optional.empty()
                : Optional.of("rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for \""
                + handler.get() + "\" is configured");
    }

    private Instant containers(PodRecord record, PodWork work, Instant now) {
        Instant due = inits(record, work, now);
        work.pastInit |= work.initialized();
        if (work.pastInit) {
            for (ContainerCell cell : work.main) {
                due = Moments.earlier(due, containers.drive(record, work, cell, now));
            }
        }
        if (work.isDone()) {
            termination.killAll(work, 0, "Completed", now, now);
            finish(record, work);
        }
        return due;
    }

    private Instant inits(PodRecord record, PodWork work, Instant now) {
        Instant due = Instant.MAX;
        for (ContainerCell cell : work.init) {
            if (cell.kind == ContainerCell.Kind.INIT && cell.succeeded()) {
                continue;
            }
            due = Moments.earlier(due, containers.drive(record, work, cell, now));
            boolean passed = cell.kind == ContainerCell.Kind.SIDECAR ? cell.started : cell.succeeded();
            if (!passed) {
                return due;
            }
        }
        return due;
    }

    private void finish(PodRecord record, PodWork work) {
        work.step = Step.ENDED;
        work.changed = true;
        release(record);
    }

    private static void release(PodRecord record) {
        record.kubelet().book().release(record.uid());
        record.kubelet().touch();
    }

    /** The machine has booted: what ran is lost, and the pod is admitted anew. */
    void booted(PodRecord record, Instant boot, Instant now) {
        PodWork work = work(record);
        if (work.step == Step.ENDED || work.step == Step.REJECTED) {
            return;
        }
        boolean had = work.step == Step.CONTAINERS;
        termination.killAll(work, End.LOST, "Unknown", boot, now);
        if (!work.hostNetwork) {
            record.kubelet().freeAddress(work.address);
        }
        work.address = "";
        work.again = had;
        work.pastInit = false;
        work.retryAt = Instant.MIN;
        work.unheard = false;
        for (ContainerCell cell : List.copyOf(work.init)) {
            cell.waits("PodInitializing", "");
            cell.retryAt = Instant.MIN;
        }
        for (ContainerCell cell : work.main) {
            cell.pulled = Instant.MAX;
            cell.retryAt = cell.ended().isPresent() && !work.restartPolicy.restarts(cell.ended().get().exitCode())
                    ? Instant.MAX : Instant.MIN;
        }
        if (work.isDone()) {
            finish(record, work);
            write(record, work, now);
            return;
        }
        work.step = Step.ADMISSION;
        work.changed = true;
    }

    /** Nothing is heard of the node: the pod no longer counts as ready. Or it is heard of again. */
    void heard(PodRecord record, boolean heard, Instant now) {
        PodWork work = work(record);
        if (work.unheard == heard && work.step == Step.CONTAINERS) {
            work.unheard = !heard;
            write(record, work, now);
        }
    }

    /** The pod has gone from the API server: what still runs is killed. */
    void gone(PodRecord record, Instant now) {
        record.work().ifPresent(work -> termination.killAll(work, End.KILLED, "Error", now, now));
    }

    void write(PodRecord record, PodWork work, Instant now) {
        work.changed = false;
        around.hand().status(record.key(), pod -> put(record, work, pod, now));
        record.kubelet().touch();
    }

    private static void put(PodRecord record, PodWork work, ObjectNode pod, Instant now) {
        if (pod.at("/metadata/uid").asText().equals(record.uid())) {
            new PodStatus(record, work, now).into(pod);
        }
    }

    /** A static pod's mirror that somebody deleted comes again at once. */
    void mirror(StoredObject last) {
        Mirror.again(around.hand(), last);
    }
}
