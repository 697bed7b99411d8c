package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.container.LogSource;
import java.time.Instant;
import java.util.List;

/** A process of which nothing is known but that it runs. */
enum Idle implements Program {
    PROGRAM;

    @Override
    public Doing look(Run run, Instant now) {
        return Doing.ready();
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
