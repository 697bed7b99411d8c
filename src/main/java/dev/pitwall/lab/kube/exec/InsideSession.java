package dev.pitwall.lab.kube.exec;

import dev.pitwall.lab.ssh.Layer;
import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.Prompt;
import dev.pitwall.lab.ssh.TerminalOutput;
import dev.pitwall.lab.ssh.shell.Manner;
import dev.pitwall.lab.ssh.shell.Shell;
import dev.pitwall.lab.ssh.shell.Wording;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A command that somebody runs in a container now. It is used by one thread, which is interrupted to end it. */
public final class InsideSession {
    private final InsideMachines machines;
    private final Inside inside;
    private final Layer layer;

    /** @param layer where it writes */
    public InsideSession(InsideMachines machines, Inside inside, Layer layer) {
        this.machines = machines;
        this.inside = inside;
        this.layer = layer;
    }

    /** @return its exit status */
    public int run(List<String> words, InputStream in, OutputStream out, OutputStream err) throws IOException {
        return whole(() -> shell(words, inside.environment()).command(words, in, out, err));
    }

    /** On a terminal, where lines begin at its left edge. */
    public int onTerminal(List<String> words, InputStream in, OutputStream out) throws IOException {
        OutputStream shown = new TerminalOutput(out);
        return whole(() -> shell(words, onTerminal()).command(words, in, shown, shown));
    }

    /** A shell that somebody types into. */
    public int typed(List<String> words, InputStream in, OutputStream out) throws IOException {
        Shell shell = shell(words, onTerminal());
        return whole(() -> new Prompt(shell, in, out, new Prompt.Looks("", this::prompt, "")).run());
    }

    private Map<String, String> onTerminal() {
        Map<String, String> environment = new LinkedHashMap<>(inside.environment());
        environment.putIfAbsent("TERM", "xterm");
        return environment;
    }

    private String prompt(Shell shell) {
        String directory = shell.directory();
        String home = shell.variable("HOME");
        String shown = directory.equals(home) ? "~" : directory.startsWith(home + "/")
                ? "~" + directory.substring(home.length()) : directory;
        String end = inside.user() == 0 ? "# " : "$ ";
        return switch (shell.wording()) {
            case BASH -> (inside.user() == 0 ? "root" : "I have no name!") + "@" + inside.hostname() + ":" + shown + end;
            case DASH -> end;
            case ASH -> shown + " " + end;
        };
    }

    private Shell shell(List<String> words, Map<String, String> environment) {
        Machine machine = machines.machine(inside, layer, () -> machines.clock().instant());
        Wording wording = Sayings.of(machines.tools(inside.image()), words);
        return new Shell(machine, machines.commands(inside, machine), environment, inside.directory(),
                new Manner(wording, InsideSession::goOn, Integer.MAX_VALUE));
    }

    private static void goOn(List<String> words) {
        if (Thread.currentThread().isInterrupted()) {
            throw new UncheckedIOException(new InterruptedIOException("the client has gone"));
        }
    }

    private interface Body {
        int run() throws IOException;
    }

    private static int whole(Body body) throws IOException {
        try {
            return body.run();
        } catch (UncheckedIOException gone) {
            throw gone.getCause();
        }
    }
}
