package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.container.LogSource;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What runs in a container. A program holds no state of its own: it decides from the container, its node and the world
 * how its process stands, and what it has done to them. Called by the control loop's thread.
 */
public interface Program {

    /**
     * How the process stands. Called when the container has started, when something in the world or among its node's
     * pods has changed, and when it asked for it. It may act: write files of its node, register devices, write objects.
     */
    Doing look(Run run, Instant now);

    /** All that it has written from its start up to a moment, oldest first. */
    List<LogSource.Line> log(Run run, Instant until);

    /** Memory it uses, in bytes; over its container's limit it is killed (exit code 137, OOMKilled). */
    default long memoryBytes(Run run, Instant now) {
        return 0;
    }

    /** How long it takes to end when told to; empty if it does not react and is killed at the end of the grace. */
    default Optional<Duration> stopsWithin(Run run) {
        return Optional.of(Duration.ofSeconds(1));
    }

    /** The process has ended, whatever the reason; called once for each run. */
    default void ended(Run run, Instant now) {
    }

    /** False if it looks at nothing but its own time: it is then not asked again when the world changes. */
    default boolean followsWorld() {
        return true;
    }

    /** What the container runtime says when it cannot start the process (StartError, exit code 128); empty if it can. */
    default Optional<String> startError(Run run) {
        return Optional.empty();
    }

    /** What it has written on the container's files up to a moment, by absolute path. */
    default Map<String, byte[]> files(Run run, Instant until) {
        return Map.of();
    }

    /** What a liveness probe would see. */
    default boolean alive(Run run, Instant now) {
        return true;
    }

    /** The socket that answers for one of its ports while it runs; empty if it does not listen. */
    default Optional<URI> backend(Run run, int port) {
        return Optional.empty();
    }
}
