package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.container.LogSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A command that its image does not have: the runtime cannot start it. The text is containerd's and runc's. */
public final class NotInImage implements Program {
    private final String command;

    /** @param command the first word of the command line */
    public NotInImage(String command) {
        this.command = command;
    }

    @Override
    public Optional<String> startError(Run run) {
        return Optional.of("failed to create containerd task: failed to create shim task: OCI runtime create failed:"
                + " runc create failed: unable to start container process: error during container init: exec: \""
                + command + "\": " + missing(command) + ": unknown");
    }

    /** Why a command cannot be started, in runc's words. */
    static String missing(String command) {
        return command.contains("/") ? "stat " + command + ": no such file or directory"
                : "executable file not found in $PATH";
    }

    @Override
    public Doing look(Run run, Instant now) {
        return new Doing.Ended(128, "", now);
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        return List.of();
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
