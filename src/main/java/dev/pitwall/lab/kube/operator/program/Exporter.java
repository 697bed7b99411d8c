package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.Nvml;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** dcgm-exporter: it needs most of its memory once DCGM has been initialized. (facts: cluster.md 3) */
final class Exporter extends ScriptedProgram {
    private static final int PORT = 9400;
    private final Function<String, Optional<URI>> byNode;

    /** @param byNode who answers for the exporter of a node */
    Exporter(Ground ground, Function<String, Optional<URI>> byNode) {
        super(ground);
        this.byNode = byNode;
    }

    @Override
    String script(Run run) {
        return "nvidia-dcgm-exporter";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant fields = at(run, "exporterFields");
        if (now.isBefore(fields)) {
            return waits(fields);
        }
        if (run.notes().containsKey("ready")) {
            return Doing.ready();
        }
        Optional<String> trouble = GpuAccess.runsUnderNvidia(ground, run) ? Nvml.trouble(ground.machine(run))
                : Optional.of("cannot find libnvidia-ml.so.1");
        if (trouble.isPresent()) {
            return fails(run, now, 1, List.of("time=" + now + " level=ERROR msg=\"Failed to watch metrics: the "
                    + "libnvidia-ml library could not be used: " + trouble.get() + "\""));
        }
        Instant ready = at(run, "exporterReady");
        if (now.isBefore(ready)) {
            return waits(ready);
        }
        run.notes().put("ready", "true");
        return Doing.ready();
    }

    @Override
    public long memoryBytes(Run run, Instant now) {
        return mebibytes(now.isBefore(at(run, "exporterFields")) ? "exporterStart" : "exporterFields");
    }

    @Override
    public Optional<URI> backend(Run run, int port) {
        return port == PORT ? byNode.apply(run.node()) : Optional.empty();
    }
}
