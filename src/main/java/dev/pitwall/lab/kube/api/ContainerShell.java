package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;

/** Runs commands in containers. */
@FunctionalInterface
public interface ContainerShell {
    /** No container has a shell. */
    ContainerShell NONE = (pod, container, command) -> Optional.empty();

    /**
     * @param pod without {@code apiVersion} and {@code kind}; the container is running
     * @return empty if nothing in this lab can run commands there
     */
    Optional<Outcome> run(JsonNode pod, String container, List<String> command);

    /** What a command wrote and ended with. */
    record Outcome(String out, String error, int exitCode) {
    }
}
