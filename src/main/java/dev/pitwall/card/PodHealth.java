package dev.pitwall.card;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The one thing that matters about a pod which is not ready: what it is stuck on. */
sealed interface PodHealth {

    record Ready() implements PodHealth {
    }

    /** Ended with success. */
    record Completed() implements PodHealth {
    }

    /** No node yet, with the scheduler's sentence. */
    record Unscheduled(String why) implements PodHealth {
    }

    /** An init container runs; the pod's own containers come later. */
    record Initialising(String container, Optional<Instant> since) implements PodHealth {
    }

    /** The containers run, but are not ready; {@code since} the start of the one that is not. */
    record Starting(String container, Optional<Instant> since) implements PodHealth {
    }

    /** Killed for memory, now or the last time (exit 137 with OOMKilled). */
    record OutOfMemory(String container, int restarts) implements PodHealth {
    }

    record ImageUnavailable(String container, String reason) implements PodHealth {
    }

    /** Ends again and again with an error, or cannot be created. */
    record Crashing(String container, String reason, Optional<Integer> exitCode, Optional<String> message)
            implements PodHealth {
    }

    /** The whole pod was refused or has failed. */
    record Failed(String reason) implements PodHealth {
    }

    Set<String> IMAGE_REASONS = Set.of("ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull");
    Set<String> BROKEN_REASONS = Set.of("CrashLoopBackOff", "CreateContainerConfigError", "CreateContainerError",
            "RunContainerError", "Error", "ContainerCannotRun", "StartError");

    /** True where somebody has to act; false for what is fine or still coming up. */
    default boolean isBroken() {
        return switch (this) {
            case Ready r -> false;
            case Completed c -> false;
            case Initialising i -> false;
            case Starting s -> false;
            case Unscheduled u -> true;
            case OutOfMemory o -> true;
            case ImageUnavailable i -> true;
            case Crashing c -> true;
            case Failed f -> true;
        };
    }

    /** Between two crashes a container runs, so its state alone looks like a start. One restart may be a reboot's. */
    int CRASH_LOOP_RESTARTS = 2;

    static PodHealth of(PodReport pod) {
        if (pod.phase().equals("Succeeded")) {
            return new Completed();
        }
        if (pod.ready()) {
            return new Ready();
        }
        if (pod.phase().equals("Failed")) {
            return new Failed(pod.reason().orElse("Failed"));
        }
        if (pod.node().isEmpty()) {
            return new Unscheduled(pod.scheduling().orElse(""));
        }
        return Stream.concat(pod.initContainers().stream(), pod.containers().stream())
                .map(PodHealth::broken).flatMap(Optional::stream).findFirst()
                .orElseGet(() -> progressing(pod));
    }

    private static Optional<PodHealth> broken(PodReport.ContainerReport c) {
        boolean oom = is(c.reason(), "OOMKilled") || is(c.lastReason(), "OOMKilled") && !c.ready();
        if (oom) {
            return Optional.of(new OutOfMemory(c.name(), c.restarts()));
        }
        if (c.reason().filter(IMAGE_REASONS::contains).isPresent()) {
            return Optional.of(new ImageUnavailable(c.name(), c.reason().orElseThrow()));
        }
        boolean runsBetweenCrashes = c.state().equals("running") && !c.ready() && c.restarts() >= CRASH_LOOP_RESTARTS
                && is(c.lastReason(), "Error");
        boolean endedBadly = c.state().equals("terminated") && c.exitCode().filter(code -> code != 0).isPresent();
        if (endedBadly || runsBetweenCrashes || c.reason().filter(BROKEN_REASONS::contains).isPresent()) {
            return Optional.of(new Crashing(c.name(), c.reason().orElse("Error"),
                    c.exitCode().or(c::lastExitCode), c.message()));
        }
        return Optional.empty();
    }

    private static PodHealth progressing(PodReport pod) {
        Optional<PodReport.ContainerReport> init = pod.initContainers().stream()
                .filter(c -> !c.state().equals("terminated") && !c.ready()).findFirst();
        if (init.isPresent()) {
            return new Initialising(init.get().name(), init.get().since().or(pod::startedAt));
        }
        Optional<PodReport.ContainerReport> starting = pod.containers().stream().filter(c -> !c.ready()).findFirst();
        return new Starting(starting.map(PodReport.ContainerReport::name).orElse(""),
                starting.flatMap(PodReport.ContainerReport::since).or(pod::startedAt));
    }

    private static boolean is(Optional<String> reason, String wanted) {
        return reason.filter(wanted::equals).isPresent();
    }

    /** Time since the beginning of a wait, never negative. */
    static Duration elapsed(Optional<Instant> since, Instant now) {
        return since.filter(s -> s.isBefore(now)).map(s -> Duration.between(s, now)).orElse(Duration.ZERO);
    }

    /** Names of the containers that are not ready, for a reading. */
    static String notReady(PodReport pod) {
        List<String> names = Stream.concat(pod.initContainers().stream(), pod.containers().stream())
                .filter(c -> !c.ready() && !(c.state().equals("terminated") && c.exitCode().filter(x -> x == 0).isPresent()))
                .map(c -> c.name() + " " + c.reason().orElse(c.state())).toList();
        return names.isEmpty() ? "ready" : String.join(", ", names);
    }
}
