package dev.pitwall.lab.kube.agent;

import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.container.LogSource;
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
        return DataFile.read("kube/agents.yaml", AgentTexts.class);
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
