package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A command of a host that carries on what was written, for example {@code update-initramfs -u -k all}. It must come to
 * the same end however often it is run: a run that died in it runs it again, and undo runs it after the files are back.
 *
 * @param arguments program first
 * @param risk      what stops or restarts with it
 * @param takes     how long it usually takes
 * @param limit     how long it may take
 */
public record CommandChange(String host, List<String> arguments, String summary, Risk risk, Duration takes,
                            Duration limit) implements Change {

    public CommandChange {
        arguments = List.copyOf(arguments);
        // Journals of earlier versions do not have it.
        risk = risk == null ? Risk.NONE : risk;
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("a command needs a program");
        }
    }

    /** A command that stops nothing. */
    public CommandChange(String host, List<String> arguments, String summary, Duration takes, Duration limit) {
        this(host, arguments, summary, Risk.NONE, takes, limit);
    }

    @Override
    public String system() {
        return host;
    }

    /** The words with blanks between them, to be read, not run. */
    @Override
    public String target() {
        return arguments.stream().collect(Collectors.joining(" "));
    }

    @Override
    public Optional<String> undo() {
        return Optional.of("undo runs it again");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }
}
