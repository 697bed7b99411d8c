package dev.pitwall.lab.ssh.shell;

import java.util.List;

/**
 * How a shell goes about its work.
 *
 * @param wording what it says of itself
 * @param pace    is asked before each command
 * @param rounds  after how many a loop that does not end is given up
 */
public record Manner(Wording wording, Pace pace, int rounds) {
    /** A shell on a machine of the lab. */
    static final Manner USUAL = new Manner(Wording.BASH, words -> { }, 10_000);

    /** Asked before each command; it ends the shell by an exception of its own. */
    @FunctionalInterface
    public interface Pace {
        /** @param words the command with its arguments; empty for an assignment alone */
        void next(List<String> words);
    }
}
