package dev.pitwall.link.ssh;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command as an argument vector. SSH carries one line that a shell splits, so the vector is quoted, here and nowhere
 * else.
 *
 * @param arguments program first; at least one
 * @param limit     how long it may run
 */
public record RemoteCommand(List<String> arguments, Duration limit) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    public RemoteCommand {
        arguments = List.copyOf(arguments);
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("a command needs a program");
        }
        if (arguments.stream().anyMatch(a -> a.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException("an argument cannot hold a NUL");
        }
    }

    public static RemoteCommand of(Duration limit, String... arguments) {
        return new RemoteCommand(List.of(arguments), limit);
    }

    /** The line a POSIX shell splits back into exactly these arguments. */
    public String line() {
        return arguments.stream().map(RemoteCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
