package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;

import java.time.Instant;
import java.util.List;

/** A shell that does not find what it is to run: exit code 127. */
final class MissingCommand extends ScriptedProgram {
    private final String command;

    MissingCommand(Ground ground, String command) {
        super(ground);
        this.command = command;
    }

    @Override
    String script(Run run) {
        return "";
    }

    @Override
    public Doing look(Run run, Instant now) {
        return fails(run, now, 127, List.of("sh: line 1: " + command + ": command not found"));
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
