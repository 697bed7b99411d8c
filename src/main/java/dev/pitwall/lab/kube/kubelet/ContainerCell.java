package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.object.Quantities;
import java.time.Instant;
import java.util.Optional;

/** One container of a pod as its kubelet knows it: what it is to be, and where it is in its life. */
final class ContainerCell {
    final String name;
    final String image;
    final Kind kind;
    final String pullPolicy;
    /** Bytes; 0 for none. */
    final long memoryLimit;
    final Optional<Probe> startupProbe;
    final Optional<Probe> readinessProbe;
    final Optional<Probe> livenessProbe;

    State state;
    Optional<End> last = Optional.empty();
    int restarts;
    boolean started;
    boolean ready;
    /** The latest run, running or ended, and the one before: their output can be read. */
    Optional<ContainerRun> latest = Optional.empty();
    Optional<ContainerRun> previous = Optional.empty();
    final BackOff crashes = new BackOff();
    /** When it may be tried again; {@link Instant#MIN} for at once. */
    Instant retryAt = Instant.MIN;
    /** When the pull that is under way ends; {@link Instant#MAX} for none. */
    Instant pulled = Instant.MAX;
    Instant pullBegan = Instant.MIN;
    int pullFailures;
    /** When its process ends after it was told to; {@link Instant#MAX} for not told. */
    Instant stops = Instant.MAX;

    enum Kind { INIT, SIDECAR, MAIN }

    /** Where a container is. */
    sealed interface State {
        record Waiting(String reason, String message) implements State {
        }

        record Running(ContainerRun run) implements State {
        }

        record Over(End end) implements State {
        }
    }

    ContainerCell(JsonNode container, boolean init, String waiting) {
        this.name = container.path("name").asText();
        this.image = container.path("image").asText().intern();
        this.kind = !init ? Kind.MAIN : Containers.isSidecar(container) ? Kind.SIDECAR
                : Kind.INIT;
        this.memoryLimit = Quantities.bytes(container.at("/resources/limits/memory"));
        this.startupProbe = Probe.of(container, "startupProbe");
        this.readinessProbe = Probe.of(container, "readinessProbe");
        this.livenessProbe = Probe.of(container, "livenessProbe");
        String usual = ImageName.of(image).tag().equals("latest") ? "Always" : "IfNotPresent";
        this.pullPolicy = container.path("imagePullPolicy").asText(usual).intern();
        this.state = new State.Waiting(waiting, "");
    }

    Optional<ContainerRun> running() {
        return state instanceof State.Running running ? Optional.of(running.run()) : Optional.empty();
    }

    Optional<End> ended() {
        return state instanceof State.Over over ? Optional.of(over.end()) : Optional.empty();
    }

    /** It has come to a good end. */
    boolean succeeded() {
        return ended().filter(end -> end.exitCode() == 0).isPresent();
    }

    boolean ran() {
        return latest.isPresent() || last.isPresent() || ended().isPresent();
    }

    /** True if the pod is ready as far as this container goes. */
    boolean counts() {
        return kind != Kind.INIT;
    }

    void waits(String reason, String message) {
        ended().ifPresent(end -> last = Optional.of(end));
        state = new State.Waiting(reason, message);
        started = false;
        ready = false;
    }
}
