package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.container.LogSource.Line;
import dev.pitwall.lab.kube.kubelet.Run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a run has written that no script foresaw. It is kept in the run's notes. */
final class Journal {
    private static final String PREFIX = "said.";

    private Journal() {
    }

    static void say(Run run, Instant at, String text) {
        String key = PREFIX + "%05d".formatted(run.notes().keySet().stream().filter(k -> k.startsWith(PREFIX))
                .count());
        run.notes().put(key, at.toEpochMilli() + " " + text);
    }

    /** Says something the first time only. */
    static void sayOnce(Run run, Instant at, String text) {
        boolean said = run.notes().entrySet().stream().anyMatch(note -> note.getKey().startsWith(PREFIX)
                && note.getValue().endsWith(" " + text));
        if (!said) {
            say(run, at, text);
        }
    }

    static List<Line> lines(Run run, Instant until) {
        List<Line> lines = new ArrayList<>();
        run.notes().keySet().stream().filter(key -> key.startsWith(PREFIX)).sorted().forEach(key -> {
            String note = run.notes().get(key);
            int blank = note.indexOf(' ');
            Instant at = Instant.ofEpochMilli(Long.parseLong(note.substring(0, blank)));
            if (!at.isAfter(until)) {
                lines.add(new Line(at, note.substring(blank + 1)));
            }
        });
        return lines;
    }
}
