package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.kubelet.ContainerCell.State;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.store.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Takes one container through its life: start, probes, end, the next start. Used by {@link PodSync}. */
final class ContainerDriver {
    /** A container that ended for the first time is started again as soon as the kubelet has noticed. */
    private static final Duration NOTICE = Duration.ofSeconds(1);
    /** A kubelet tries again what it could not start about this often. */
    private static final Duration AGAIN = Duration.ofSeconds(10);
    private static final Duration PROBE_GRACE = Duration.ofSeconds(30);
    private static final int START_ERROR = 128;

    private final Surroundings around;
    private final PodEvents events;
    private final ImagePuller images;

    ContainerDriver(Surroundings around, PodEvents events) {
        this.around = around;
        this.events = events;
        this.images = new ImagePuller(around.images(), events);
    }

    /** Does what is due for a container. @return when it wants to be looked at again */
    Instant drive(PodRecord record, PodWork work, ContainerCell cell, Instant now) {
        Optional<ContainerRun> run = cell.running();
        if (run.isPresent()) {
            Instant due = watch(record, work, cell, run.get(), now);
            if (cell.running().isPresent()) {
                return due;
            }
        }
        if (cell.ended().isPresent() && cell.retryAt.equals(Instant.MAX)) {
            return Instant.MAX;
        }
        if (cell.retryAt.isAfter(now)) {
            return cell.retryAt;
        }
        return start(record, work, cell, now);
    }

    private Instant start(PodRecord record, PodWork work, ContainerCell cell, Instant now) {
        Optional<Instant> image = images.ready(record, work, cell, now);
        if (image.isPresent()) {
            return image.get();
        }
        JsonNode pod = record.facts().object().tree();
        JsonNode container = Containers.find(pod.path("spec"), cell.name).orElseGet(Json::object);
        Map<String, String> environment;
        try {
            requireUser(record, pod, container, cell);
            environment = around.environment().of(pod, container, work.address,
                    record.kubelet().machine().address());
        } catch (Environment.Missing missing) {
            events.record(record, Type.Warning, "Failed", "Error: " + missing.getMessage(), now);
            return wait(work, cell, "CreateContainerConfigError", missing.getMessage(), now);
        }
        Program program = around.programs().find(cell.image, pod, container).orElseThrow();
        run(record, work, cell, program, environment, now);
        return cell.running().map(run -> watch(record, work, cell, run, now)).orElse(cell.retryAt);
    }

    /** An image whose user is root is not started where that is forbidden. */
    private void requireUser(PodRecord record, JsonNode pod, JsonNode container, ContainerCell cell)
            throws Environment.Missing {
        boolean nonRoot = setting(pod, container, "runAsNonRoot").asBoolean();
        JsonNode user = setting(pod, container, "runAsUser");
        boolean root = user.isNumber() ? user.asLong() == 0
                : around.images().find(cell.image).filter(ImageCatalog.Entry::root).isPresent();
        if (nonRoot && root) {
            throw new Environment.Missing((user.isNumber() ? "container's runAsUser breaks non-root policy"
                    : "container has runAsNonRoot and image will run as root") + " (pod: \""
                    + record.longName() + "\", container: " + cell.name + ")");
        }
    }

    private static JsonNode setting(JsonNode pod, JsonNode container, String name) {
        JsonNode own = container.path("securityContext").path(name);
        return own.isMissingNode() ? pod.at("/spec/securityContext").path(name) : own;
    }

    private void run(PodRecord record, PodWork work, ContainerCell cell, Program program,
                     Map<String, String> environment, Instant now) {
        if (cell.ran()) {
            cell.restarts++;
            cell.crashes.tried(cell.ended().or(() -> cell.last).map(End::to).orElse(now), now);
        }
        cell.ended().ifPresent(end -> cell.last = Optional.of(end));
        ContainerRun run = new ContainerRun(record, cell, program, work.address, now,
                record.kubelet().book().of(record.uid(), cell.name), environment);
        cell.previous = cell.latest;
        cell.latest = Optional.of(run);
        cell.pullFailures = 0;
        work.changed = true;
        Optional<String> error = program.startError(run);
        events.record(record, Type.Normal, "Created", "Created container: " + cell.name, now);
        if (error.isPresent()) {
            events.record(record, Type.Warning, "Failed", "Error: " + error.get(), now);
            cell.state = new State.Running(run);
            over(record, work, cell, run, START_ERROR, "StartError", error.get(), now, now);
            return;
        }
        events.record(record, Type.Normal, "Started", "Started container " + cell.name, now);
        cell.state = new State.Running(run);
        cell.started = cell.startupProbe.isEmpty();
        cell.ready = false;
    }

    private static Instant wait(PodWork work, ContainerCell cell, String reason, String message, Instant now) {
        State.Waiting state = new State.Waiting(reason, message);
        if (!cell.state.equals(state)) {
            cell.waits(reason, message);
            work.changed = true;
        }
        cell.retryAt = now.plus(AGAIN);
        return cell.retryAt;
    }

    private Instant watch(PodRecord record, PodWork work, ContainerCell cell, ContainerRun run, Instant now) {
        Program program = run.program();
        if (!cell.stops.isAfter(now)) {
            boolean killed = program.stopsWithin(run).filter(in -> in.compareTo(PROBE_GRACE) <= 0).isEmpty();
            over(record, work, cell, run, killed ? End.KILLED : 0, End.reason(killed ? End.KILLED : 0), "", now, now);
            return now;
        }
        return switch (program.look(run, now)) {
            case Doing.Ended ended -> {
                over(record, work, cell, run, ended.exitCode(), End.reason(ended.exitCode()), ended.message(),
                        ended.at(), now);
                yield now;
            }
            case Doing.Goes goes when cell.memoryLimit > 0 && program.memoryBytes(run, now) > cell.memoryLimit -> {
                over(record, work, cell, run, End.KILLED, "OOMKilled", "", now, now);
                yield now;
            }
            case Doing.Goes goes -> Moments.earlier(cell.stops, Moments.earlier(goes.lookAgain(),
                    probes(record, work, cell, run, goes.ready(), now)));
        };
    }

    private Instant probes(PodRecord record, PodWork work, ContainerCell cell, ContainerRun run, boolean right,
                           Instant now) {
        if (!cell.started) {
            ProbeWatch startup = run.startup().orElseThrow();
            ProbeWatch.Seen seen = startup.look(right, !right, now);
            report(record, work, "Startup", startup, seen, now);
            if (seen == ProbeWatch.Seen.SUCCESS) {
                cell.started = true;
                work.changed = true;
            } else if (seen == ProbeWatch.Seen.TOO_MANY_FAILURES) {
                kill(record, work, cell, run, "startup", now);
            }
            if (!cell.started) {
                return Moments.earlier(startup.next(), cell.stops);
            }
        }
        return Moments.earlier(readiness(record, work, cell, run, right, now), liveness(record, work, cell, run, now));
    }

    private Instant readiness(PodRecord record, PodWork work, ContainerCell cell, ContainerRun run, boolean right,
                              Instant now) {
        boolean before = cell.ready;
        Instant next = Instant.MAX;
        if (run.readiness().isEmpty()) {
            cell.ready = right;
        } else {
            ProbeWatch watch = run.readiness().get();
            ProbeWatch.Seen seen = watch.look(right, !right || cell.ready, now);
            report(record, work, "Readiness", watch, seen, now);
            cell.ready = switch (seen) {
                case SUCCESS -> true;
                case TOO_MANY_FAILURES -> false;
                case NOTHING, FAILURE -> cell.ready;
            };
            // What it has just found out may be all there is to find out.
            watch.look(right, !right || cell.ready, now);
            next = watch.next();
        }
        work.changed |= before != cell.ready;
        return next;
    }

    private Instant liveness(PodRecord record, PodWork work, ContainerCell cell, ContainerRun run, Instant now) {
        if (run.liveness().isEmpty() || !cell.stops.equals(Instant.MAX)) {
            return Instant.MAX;
        }
        ProbeWatch watch = run.liveness().get();
        ProbeWatch.Seen seen = watch.look(run.program().alive(run, now), true, now);
        report(record, work, "Liveness", watch, seen, now);
        if (seen == ProbeWatch.Seen.TOO_MANY_FAILURES) {
            kill(record, work, cell, run, "liveness", now);
            return cell.stops;
        }
        return watch.next();
    }

    private void report(PodRecord record, PodWork work, String kind, ProbeWatch watch, ProbeWatch.Seen seen,
                        Instant now) {
        if (seen == ProbeWatch.Seen.FAILURE || seen == ProbeWatch.Seen.TOO_MANY_FAILURES) {
            events.record(record, Type.Warning, "Unhealthy", kind + " probe failed: "
                    + watch.probe().failing().replace("{ip}", work.address), now);
        }
    }

    private void kill(PodRecord record, PodWork work, ContainerCell cell, ContainerRun run, String probe,
                      Instant now) {
        events.record(record, Type.Normal, "Killing", "Container " + cell.name + " failed " + probe
                + " probe, will be restarted", now);
        cell.stops = now.plus(run.program().stopsWithin(run).filter(in -> in.compareTo(PROBE_GRACE) <= 0)
                .orElse(PROBE_GRACE));
    }

    /** A run has ended; says whether and when the next one begins. */
    private void over(PodRecord record, PodWork work, ContainerCell cell, ContainerRun run, int exitCode,
                      String reason, String message, Instant at, Instant now) {
        conclude(work, cell, run, new End(run.startedAt(), at, exitCode, reason, message, run.id()), now);
        if (!restarts(work, cell, exitCode)) {
            cell.retryAt = Instant.MAX;
            return;
        }
        Duration wait = cell.crashes.wait(at);
        cell.retryAt = at.plus(wait.isZero() ? NOTICE : wait);
        if (!wait.isZero()) {
            cell.waits("CrashLoopBackOff", "back-off " + BackOff.text(wait) + " restarting failed container="
                    + cell.name + " pod=" + record.longName());
            events.record(record, Type.Warning, "BackOff", "Back-off restarting failed container " + cell.name
                    + " in pod " + record.longName(), now);
        }
    }

    /** A run has ended, and that is all. */
    void conclude(PodWork work, ContainerCell cell, ContainerRun run, End end, Instant now) {
        cell.state = new State.Over(end);
        cell.started = false;
        cell.ready = false;
        cell.stops = Instant.MAX;
        work.changed = true;
        run.ended(now, end.to());
    }

    private static boolean restarts(PodWork work, ContainerCell cell, int exitCode) {
        return switch (cell.kind) {
            case SIDECAR -> true;
            case MAIN -> work.restartPolicy.restarts(exitCode);
            case INIT -> exitCode != 0 && work.restartPolicy != PodWork.RestartPolicy.Never;
        };
    }
}
