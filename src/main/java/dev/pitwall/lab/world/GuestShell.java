package dev.pitwall.lab.world;

import java.util.List;
import java.util.Optional;

/**
 * What can be done inside a machine without the network, as a guest agent does it. The lab's SSH side knows the machines'
 * files and commands; whoever wants them asks through this. Never call it inside the world's lock.
 */
public interface GuestShell {

    /** A command that has ended. */
    record Ended(int exitCode, String out, String err) {
    }

    /**
     * Runs a command; no shell reads the arguments.
     *
     * @param command the program and its arguments
     * @param input   its standard input
     * @return empty if this machine runs no commands
     * @throws InterruptedException if the waiting thread is interrupted
     */
    Optional<Ended> run(String machine, List<String> command, String input) throws InterruptedException;

    /** A file's bytes; empty if there is none. */
    Optional<byte[]> read(String machine, String path);

    /** Writes a file; false if its folder is not there. */
    boolean write(String machine, String path, byte[] content);
}
