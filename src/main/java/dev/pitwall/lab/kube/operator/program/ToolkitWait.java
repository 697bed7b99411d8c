package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;

import java.time.Instant;

/** The init container of the operands that need the toolkit: a loop that waits for {@code toolkit-ready}. */
final class ToolkitWait extends ScriptedProgram {

    ToolkitWait(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return "toolkit-validation";
    }

    @Override
    public Doing look(Run run, Instant now) {
        if (ground.machine(run).has(ToolkitValidation.READY)) {
            // The loop looks every five seconds; the file is seen at the next look.
            if (!run.notes().containsKey("seen")) {
                run.notes().put("seen", now.plusSeconds(ground.scripts().seconds("toolkitSeen")).toString());
            }
            Instant seen = Instant.parse(run.notes().get("seen"));
            return now.isBefore(seen) ? waits(seen) : done(now);
        }
        run.notes().remove("seen");
        return waits(Instant.MAX);
    }
}
