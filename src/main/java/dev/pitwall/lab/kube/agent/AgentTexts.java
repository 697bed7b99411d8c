package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.container.LogSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code lab/kube/agents.yaml}: what the agents and their programs write, and how long they take.
 *
 * @param seconds by name
 * @param images  names of programs by the beginning of an image's name, without its tag
 * @param logs    lines by program; a line's time is in seconds after the start
 */
record AgentTexts(Map<String, Long> seconds, Map<String, String> images, Map<String, List<Said>> logs,
                  long notebookMiB) {

    /** One line of a log, {@code {…}} filled in. */
    record Said(long after, String line) {
    }

    static AgentTexts load() {
        try (InputStream in = AgentTexts.class.getResourceAsStream("/lab/kube/agents.yaml")) {
            return new YAMLMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(in, AgentTexts.class);
        } catch (IOException e) {
            throw new UncheckedIOException("the texts of the cluster's agents cannot be read", e);
        }
    }

    long seconds(String name) {
        return seconds.get(name);
    }

    /** What a program has written since its start; {@code {start}} and {@code {time}} are filled in too. */
    List<LogSource.Line> log(String program, Instant start, Instant until, Map<String, String> values) {
        return logs.getOrDefault(program, List.of()).stream()
                .filter(said -> !start.plusSeconds(said.after()).isAfter(until)).map(said -> {
                    Instant at = start.plusSeconds(said.after());
                    Map<String, String> all = new HashMap<>(values);
                    all.put("start", start.truncatedTo(ChronoUnit.SECONDS).toString());
                    all.put("time", at.truncatedTo(ChronoUnit.SECONDS).toString());
                    return new LogSource.Line(at, ServerPod.fill(said.line(), all));
                }).toList();
    }
}
