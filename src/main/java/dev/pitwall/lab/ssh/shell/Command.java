package dev.pitwall.lab.ssh.shell;

import java.io.IOException;

/** A program on a machine of the lab. It answers from the machine's state, and may change it through the world. */
@FunctionalInterface
public interface Command {

    /**
     * @return its exit status, 0 to 255
     * @throws IOException the caller went away
     */
    int run(Call call) throws IOException;
}
