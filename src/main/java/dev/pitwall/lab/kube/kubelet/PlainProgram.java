package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.container.LogSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A server that is ready after a while and goes on, or a job that ends by itself. */
final class PlainProgram implements Program {
    private final GenericPrograms.Entry entry;

    PlainProgram(GenericPrograms.Entry entry) {
        this.entry = entry;
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    @Override
    public Doing look(Run run, Instant now) {
        if (entry.kind() == GenericPrograms.Kind.job) {
            Instant end = run.startedAt().plus(seconds(entry.runs()));
            return end.isAfter(now) ? new Doing.Goes(true, end) : new Doing.Ended(entry.exitCode(), "", end);
        }
        return Doing.readyAt(run.startedAt().plus(seconds(entry.starts())), now);
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        return entry.log().stream().map(text -> new LogSource.Line(run.startedAt(), text)).toList();
    }

    @Override
    public long memoryBytes(Run run, Instant now) {
        return entry.memoryMiB() << 20;
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
