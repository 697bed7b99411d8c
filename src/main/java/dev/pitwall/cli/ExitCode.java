package dev.pitwall.cli;

/** The stable exit codes of every command. */
public final class ExitCode {
    /** Done, and fine. */
    public static final int FINE = 0;
    /** Done, and it found a fault or refused. */
    public static final int FOUND = 1;
    /** Bad use, or input that cannot be read. */
    public static final int BAD_USE = 2;
    /** A system could not be reached. */
    public static final int UNREACHABLE = 3;

    private ExitCode() {
    }
}
