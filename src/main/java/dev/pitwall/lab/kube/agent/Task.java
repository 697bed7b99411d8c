package dev.pitwall.lab.kube.agent;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A process that takes its time and ends well, such as a build. */
final class Task implements Program {
    private final AgentTexts texts;
    private final String log;
    private final long seconds;

    /** @param log what it writes, by name */
    Task(AgentTexts texts, String log, long seconds) {
        this.texts = texts;
        this.log = log;
        this.seconds = seconds;
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant end = run.startedAt().plusSeconds(seconds);
        return now.isBefore(end) ? new Doing.Goes(true, end) : new Doing.Ended(0, "", end);
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        return texts.log(log, run.startedAt(), until, Map.of());
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
