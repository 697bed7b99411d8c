package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.api.LogSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command line in a small image. As process 1 it does not react to SIGTERM. */
final class ShellProgram implements Program {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([-._A-Za-z][-._A-Za-z0-9]*)\\)");
    private final List<String> words;

    ShellProgram(List<String> words) {
        this.words = words;
    }

    @Override
    public Doing look(Run run, Instant now) {
        CommandLine line = new CommandLine(run, Instant.MAX, CommandLine.LOOK);
        return switch (line.run(words(run))) {
            case CommandLine.Outcome.Exited exited -> exited.at().isAfter(now) ? new Doing.Goes(true, exited.at())
                    : new Doing.Ended(exited.status(), "", exited.at());
            case CommandLine.Outcome.GoesOn on -> new Doing.Goes(true, on.at());
        };
    }

    /** The kubelet fills in {@code $(NAME)} of the environment; what it does not know stays, and {@code $$} is a dollar. */
    private List<String> words(Run run) {
        return words.stream().map(word -> REFERENCE.matcher(word).replaceAll(found -> Matcher.quoteReplacement(
                found.group(1) == null ? "$" : run.environment(found.group(1)).orElse(found.group())))).toList();
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        CommandLine line = new CommandLine(run, until, CommandLine.MOST);
        line.run(words(run));
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
