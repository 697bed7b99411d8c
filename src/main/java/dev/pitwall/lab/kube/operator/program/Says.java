package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;

import java.time.Instant;

/** A shell that says one thing and ends. */
final class Says extends ScriptedProgram {
    private final String words;

    Says(Ground ground, String words) {
        super(ground);
        this.words = words;
    }

    @Override
    String script(Run run) {
        return "";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Journal.sayOnce(run, run.startedAt(), words);
        return done(now);
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
