package dev.pitwall.lab.kube.agent;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A Prometheus server; the lab's own speaks for it. */
final class Prometheus implements Program {
    private static final int PORT = 9090;

    private final AgentTexts texts;
    private final Supplier<Optional<URI>> server;

    Prometheus(AgentTexts texts, Supplier<Optional<URI>> server) {
        this.texts = texts;
        this.server = server;
    }

    @Override
    public Doing look(Run run, Instant now) {
        return Doing.readyAt(run.startedAt().plusSeconds(texts.seconds("prometheusStart")), now);
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        return texts.log("prometheus", run.startedAt(), until, Map.of());
    }

    @Override
    public Optional<URI> backend(Run run, int port) {
        return port == PORT ? server.get() : Optional.empty();
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
