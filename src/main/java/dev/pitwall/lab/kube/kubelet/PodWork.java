package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.PodLife;
import dev.pitwall.lab.kube.object.QosClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a kubelet knows of a pod that it has in hand. Touched only under the lock of {@link Kubelets}. */
final class PodWork {
    final List<ContainerCell> init;
    final List<ContainerCell> main;
    final RestartPolicy restartPolicy;
    final boolean hostNetwork;
    /** Seconds; 0 for none. */
    final long activeDeadline;
    final QosClass qos;

    Step step = Step.ADMISSION;
    Optional<Instant> begun = Optional.empty();
    String address = "";
    /** When the step is tried again. */
    Instant retryAt = Instant.MIN;
    int failures;
    /** Its init containers have done their part in this sandbox: what restarts later does not hold the others up. */
    boolean pastInit;
    /** Its sandbox has been there before: a boot took it. */
    boolean again;
    Optional<Instant> told = Optional.empty();
    Instant complaintAt = Instant.MAX;
    /** Its Ready condition was taken away because nothing is heard of its node. */
    boolean unheard;
    String reason = "";
    String message = "";
    boolean changed;

    /** What is to be done next. */
    enum Step { ADMISSION, VOLUMES, SANDBOX, CONTAINERS, ENDED, REJECTED }

    enum RestartPolicy {
        Always, OnFailure, Never;

        /** @param exitCode of the run that has ended */
        boolean restarts(int exitCode) {
            return switch (this) {
                case Always -> true;
                case OnFailure -> exitCode != 0;
                case Never -> false;
            };
        }
    }

    private PodWork(JsonNode spec) {
        boolean hasInit = !spec.path("initContainers").isEmpty();
        this.init = cells(spec.path("initContainers"), true, "PodInitializing");
        this.main = cells(spec.path("containers"), false, hasInit ? "PodInitializing" : "ContainerCreating");
        this.restartPolicy = RestartPolicy.valueOf(spec.path("restartPolicy").asText("Always"));
        this.hostNetwork = spec.path("hostNetwork").asBoolean();
        this.activeDeadline = spec.path("activeDeadlineSeconds").asLong(0);
        this.qos = QosClass.of(spec);
    }

    static PodWork of(JsonNode pod) {
        return new PodWork(pod.path("spec"));
    }

    private static List<ContainerCell> cells(JsonNode containers, boolean init, String waiting) {
        List<ContainerCell> cells = new ArrayList<>();
        containers.forEach(container -> cells.add(new ContainerCell(container, init, waiting)));
        return List.copyOf(cells);
    }

    Stream<ContainerCell> cells() {
        return Stream.concat(init.stream(), main.stream());
    }

    Optional<ContainerCell> cell(String name) {
        return cells().filter(cell -> cell.name.equals(name)).findFirst();
    }

    /** Every init container has done its part. */
    boolean initialized() {
        return init.stream().allMatch(cell -> cell.kind == ContainerCell.Kind.SIDECAR ? cell.started
                : cell.succeeded());
    }

    boolean anyRuns() {
        return cells().anyMatch(cell -> cell.running().isPresent());
    }

    /** The kubelet's own rule. [kubelet_pods.go, getPhase] */
    String phase() {
        if (step == Step.REJECTED || !reason.isEmpty()) {
            return "Failed";
        }
        boolean initFailed = restartPolicy == RestartPolicy.Never && init.stream()
                .anyMatch(cell -> cell.kind == ContainerCell.Kind.INIT && cell.ended().isPresent() && !cell.succeeded());
        if (initFailed) {
            return "Failed";
        }
        boolean waits = main.stream().anyMatch(cell -> cell.state instanceof ContainerCell.State.Waiting
                && cell.last.isEmpty());
        boolean begins = init.stream().anyMatch(cell -> !cell.ran()) || !initialized()
                && main.stream().noneMatch(ContainerCell::ran);
        if (waits || begins) {
            return "Pending";
        }
        boolean over = main.stream().allMatch(cell -> cell.ended().isPresent());
        if (!over || restartPolicy == RestartPolicy.Always) {
            return "Running";
        }
        if (main.stream().allMatch(ContainerCell::succeeded)) {
            return "Succeeded";
        }
        return restartPolicy == RestartPolicy.Never ? "Failed" : "Running";
    }

    boolean isDone() {
        return PodLife.isOver(phase());
    }
}
