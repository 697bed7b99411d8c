package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** NVIDIA's CUDA sample: adds two vectors on a card and says whether that worked. */
final class VectorAdd extends ScriptedProgram {

    VectorAdd(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return run.notes().containsKey("works") ? "vectorAdd" : "vectorAdd/failed";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Optional<String> trouble = GpuAccess.trouble(ground, run);
        if (trouble.isPresent() && !run.notes().containsKey("works")) {
            return fails(run, now, 1, List.of("Failed to allocate device vector A (error code " + trouble.get()
                    + ")!"));
        }
        run.notes().put("works", "true");
        Instant end = at(run, "vectorAdd");
        return now.isBefore(end) ? waits(end) : done(now);
    }
}
