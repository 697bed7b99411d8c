package dev.pitwall.lab.kube.container;

import com.fasterxml.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;

/** Where the output of containers comes from. */
@FunctionalInterface
public interface LogSource {

    /** Which run of a container. */
    enum Run { CURRENT, PREVIOUS }

    /**
     * Everything a container has written up to now, oldest first. A later call for the same run begins with the same
     * lines.
     *
     * @param pod without {@code apiVersion} and {@code kind}
     */
    List<Line> lines(JsonNode pod, String container, Run run);

    /** @param at when it was written */
    record Line(Instant at, String text) {
    }
}
