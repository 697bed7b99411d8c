package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.exec.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command line that the lab runs in a container. As process 1 it does not react to SIGTERM. */
final class ShellProgram implements Program {
    /** Where a shell that somebody types into leaves how it ended. */
    static final String TYPED_EXIT = "typed exit";
    private static final Duration GLANCE = Duration.ofSeconds(1);

    private final Insides insides;
    private final List<String> words;

    ShellProgram(Insides insides, List<String> words) {
        this.insides = insides;
        this.words = words;
    }

    /** A shell that waits for what somebody types. */
    boolean isTypedInto(Run run) {
        return run.container().path("stdin").asBoolean() && Terminals.isPlainShell(words);
    }

    List<String> words(Run run) {
        return words.stream().map(word -> Environment.expanded(word, run.environment())).toList();
    }

    @Override
    public Optional<String> startError(Run run) {
        String command = words(run).getFirst();
        return insides.canRun(run, command) ? Optional.empty() : new NotInImage(command).startError(run);
    }

    @Override
    public Doing look(Run run, Instant now) {
        if (isTypedInto(run)) {
            String exit = run.notes().get(TYPED_EXIT);
            return exit == null ? new Doing.Goes(true, now.plus(GLANCE))
                    : new Doing.Ended(Integer.parseInt(exit), "", now);
        }
        return switch (timeline(run).look(words(run), now)) {
            case Timeline.Outcome.Exited exited -> exited.at().isAfter(now) ? new Doing.Goes(true, exited.at())
                    : new Doing.Ended(exited.status(), "", exited.at());
            case Timeline.Outcome.GoesOn on -> new Doing.Goes(true, on.again());
        };
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        return isTypedInto(run) ? List.of() : timeline(run).log(words(run), until);
    }

    @Override
    public Map<String, byte[]> files(Run run, Instant until) {
        return isTypedInto(run) ? Map.of() : timeline(run).files(words(run), until);
    }

    private Timeline timeline(Run run) {
        return new Timeline(insides.machines(), insides.of(run).with(run.written()), run.startedAt(), run.notes());
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
