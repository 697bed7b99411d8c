package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;

import java.time.Instant;

/** A process that starts, is ready and does nothing the lab shows. */
final class Idle extends ScriptedProgram {
    private final String script;

    Idle(Ground ground, String script) {
        super(ground);
        this.script = script;
    }

    @Override
    String script(Run run) {
        return script;
    }

    @Override
    public Doing look(Run run, Instant now) {
        return Doing.readyAt(at(run, "idleReady"), now);
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
