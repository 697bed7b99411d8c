package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.kubelet.PodWork.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Ends pods: told, waited for, killed, and gone when nothing runs any more. Used by {@link PodSync}. */
final class Termination {
    /** runtimeRequestTimeout: so long the kubelet waits for a runtime that does not answer. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final PodEvents events;
    private final ContainerDriver containers;

    Termination(PodEvents events, ContainerDriver containers) {
        this.events = events;
        this.containers = containers;
    }

    /** A pod is to go. @return when it wants to be looked at again */
    Instant step(PodRecord record, PodWork work, Instant now) {
        if (work.told.isEmpty()) {
            tell(record, work, now);
        }
        if (record.kubelet().machine().isStuck(record.place()) && work.anyRuns()) {
            return complain(record, work, now);
        }
        Instant due = Instant.MAX;
        for (ContainerCell cell : work.cells().toList()) {
            Optional<ContainerRun> run = cell.running();
            if (run.isEmpty()) {
                continue;
            }
            if (cell.stops.isAfter(now)) {
                due = Moments.earlier(due, cell.stops);
            } else {
                stop(record, work, cell, run.get(), now);
            }
        }
        return due;
    }

    private void tell(PodRecord record, PodWork work, Instant now) {
        work.told = Optional.of(now);
        JsonNode metadata = record.facts().object().tree().path("metadata");
        Duration grace = Duration.ofSeconds(metadata.path("deletionGracePeriodSeconds").asLong(30));
        work.complaintAt = now.plus(grace).plus(PATIENCE);
        work.cells().forEach(cell -> cell.running().ifPresent(run -> {
            events.record(record, Type.Normal, "Killing", "Stopping container " + cell.name, now);
            cell.stops = now.plus(stopsWithin(run).filter(in -> in.compareTo(grace) < 0).orElse(grace));
        }));
    }

    private static Optional<Duration> stopsWithin(ContainerRun run) {
        return run.program().stopsWithin(run);
    }

    private Instant complain(PodRecord record, PodWork work, Instant now) {
        if (!work.complaintAt.isAfter(now)) {
            String name = work.cells().filter(cell -> cell.running().isPresent()).map(cell -> cell.name).findFirst()
                    .orElse("");
            events.record(record, Type.Warning, "FailedKillPod", "error killing pod: failed to \"KillContainer\" for \""
                    + name + "\" with KillContainerError: \"rpc error: code = DeadlineExceeded desc = context deadline"
                    + " exceeded\"", now);
            work.complaintAt = now.plus(PATIENCE);
        }
        return work.complaintAt;
    }

    /** It ended by itself within its grace, or was killed at the end of it. */
    private void stop(PodRecord record, PodWork work, ContainerCell cell, ContainerRun run, Instant now) {
        Instant told = work.told.orElse(now);
        boolean itself = stopsWithin(run).filter(in -> !told.plus(in).isAfter(now)).isPresent();
        int exitCode = itself ? 0 : End.KILLED;
        containers.conclude(work, cell, run, new End(run.startedAt(), now, exitCode, End.reason(exitCode), "",
                run.id()), now);
        if (!work.anyRuns()) {
            record.kubelet().book().release(record.uid());
        }
    }

    /** True if a pod that is to go has nothing left that keeps it. */
    boolean isOver(PodRecord record, PodWork work) {
        return record.facts().deletion().isPresent() && !work.anyRuns()
                && (work.told.isPresent() || work.step == Step.ENDED || work.step == Step.REJECTED);
    }

    /** Ends whatever runs, at once. */
    void killAll(PodWork work, int exitCode, String reason, Instant at, Instant now) {
        work.cells().forEach(cell -> cell.running().ifPresent(run -> containers.conclude(work, cell, run,
                new End(run.startedAt(), at, exitCode, reason, "", run.id()), now)));
    }
}
