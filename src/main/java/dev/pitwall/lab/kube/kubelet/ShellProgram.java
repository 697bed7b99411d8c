package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.api.LogSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A command line in a small image. As process 1 it does not react to SIGTERM. */
final class ShellProgram implements Program {
    private final List<String> words;

    ShellProgram(List<String> words) {
        this.words = words;
    }

    @Override
    public Optional<String> startError(Run run) {
        return words.isEmpty() || CommandLine.knows(words.getFirst()) ? Optional.empty()
                : Optional.of("failed to create containerd task: failed to create shim task: OCI runtime create failed:"
                + " runc create failed: unable to start container process: error during container init: exec: \""
                + words.getFirst() + "\": executable file not found in $PATH");
    }

    @Override
    public Doing look(Run run, Instant now) {
        CommandLine line = new CommandLine(run, Instant.MAX, CommandLine.LOOK);
        return switch (line.run(words)) {
            case CommandLine.Outcome.Exited exited -> exited.at().isAfter(now) ? new Doing.Goes(true, exited.at())
                    : new Doing.Ended(exited.status(), "", exited.at());
            case CommandLine.Outcome.GoesOn on -> new Doing.Goes(true, on.at());
        };
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        CommandLine line = new CommandLine(run, until, CommandLine.MOST);
        line.run(words);
        return line.lines();
    }

    @Override
    public Optional<Duration> stopsWithin(Run run) {
        return Optional.empty();
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
