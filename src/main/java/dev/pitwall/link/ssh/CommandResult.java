package dev.pitwall.link.ssh;

import java.util.OptionalInt;

/**
 * What a command left behind.
 *
 * @param exit   empty if it was ended by a signal or the server did not say
 * @param output its standard output, at most {@link SshSession#MAX_OUTPUT_BYTES}
 * @param errors its standard error, under the same limit
 * @param cut    true if some of either was dropped
 */
public record CommandResult(OptionalInt exit, String output, String errors, boolean cut) {
    /** A POSIX shell's status for a program that is not there. */
    private static final int NOT_FOUND = 127;

    public boolean ok() {
        return exit.isPresent() && exit.getAsInt() == 0;
    }

    public boolean notFound() {
        return exit.isPresent() && exit.getAsInt() == NOT_FOUND;
    }
}
