package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.shell.Shell;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.Signal;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One exec or shell channel: a virtual thread that runs a command line, a script from standard input, or a prompt. */
final class MachineSession implements Command {
    private static final Logger LOG = LoggerFactory.getLogger(MachineSession.class);
    private static final int INTERRUPTED = 130;

    private final Machine machine;
    private final Commands commands;
    private final Optional<String> commandLine;
    private InputStream in;
    private OutputStream out;
    private OutputStream err;
    private ExitCallback exit;
    private Thread thread;

    /** @param commandLine empty for a login shell */
    MachineSession(Machine machine, Commands commands, Optional<String> commandLine) {
        this.machine = machine;
        this.commands = commands;
        this.commandLine = commandLine;
    }

    @Override
    public void setInputStream(InputStream stream) {
        in = stream;
    }

    @Override
    public void setOutputStream(OutputStream stream) {
        out = stream;
    }

    @Override
    public void setErrorStream(OutputStream stream) {
        err = stream;
    }

    @Override
    public void setExitCallback(ExitCallback callback) {
        exit = callback;
    }

    @Override
    public void start(ChannelSession channel, Environment environment) {
        // Only a request for a terminal says how wide it is.
        boolean terminal = environment.getEnv().containsKey(Environment.ENV_COLUMNS);
        thread = Thread.ofVirtual().name("lab-shell-" + machine.name()).start(() -> run(environment, terminal));
        environment.addSignalListener((c, signal) -> thread.interrupt(), Signal.INT, Signal.TERM, Signal.KILL);
    }

    private void run(Environment environment, boolean terminal) {
        int status;
        try {
            status = serve(environment, terminal);
            out.flush();
            err.flush();
        } catch (IOException e) {
            // The client went away in the middle; there is nobody left to tell.
            status = INTERRUPTED;
        } catch (RuntimeException e) {
            LOG.error("a command failed on lab machine {}", machine.name(), e);
            status = 1;
        }
        exit.onExit(status);
    }

    private int serve(Environment environment, boolean terminal) throws IOException {
        Shell shell = new Shell(machine, commands);
        shell.variable("TERM", environment.getEnv().getOrDefault(Environment.ENV_TERM, "dumb"));
        OutputStream shownOut = terminal ? new TerminalOutput(out) : out;
        OutputStream shownErr = terminal ? shownOut : err;
        if (commandLine.isPresent()) {
            LOG.debug("lab machine {} runs: {}", machine.name(), commandLine.get());
            return shell.run(commandLine.get(), in, shownOut, shownErr);
        }
        return terminal ? new Prompt(shell, in, out).run() : script(shell);
    }

    /** Without a terminal a login shell reads its commands from standard input, up to its end. */
    private int script(Shell shell) throws IOException {
        return shell.run(new String(in.readAllBytes(), StandardCharsets.UTF_8), InputStream.nullInputStream(), out,
                err);
    }

    @Override
    public void destroy(ChannelSession channel) {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
