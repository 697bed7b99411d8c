package dev.pitwall.lab.ssh.shell;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The three standard streams of a command. */
record Streams(InputStream in, OutputStream out, OutputStream err) {

    PrintStream printErr() {
        return print(err);
    }

    PrintStream printOut() {
        return print(out);
    }

    static PrintStream print(OutputStream out) {
        return out instanceof PrintStream p ? p : new PrintStream(out, true, StandardCharsets.UTF_8);
    }
}
