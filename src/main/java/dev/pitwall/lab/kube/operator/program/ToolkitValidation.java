package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.machine.Nvml;

import java.time.Instant;
import java.util.List;

/**
 * {@code nvidia-validator} for the toolkit: {@code nvidia-smi} must work in this container, which the nvidia runtime
 * has started. It leaves {@code toolkit-ready}.
 */
final class ToolkitValidation extends ScriptedProgram {
    static final String READY = NodeMachine.VALIDATIONS + "toolkit-ready";

    ToolkitValidation(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return "toolkit-validation/validator";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant tried = at(run, "toolkitValidationTries");
        if (now.isBefore(tried)) {
            return waits(tried);
        }
        NodeMachine machine = ground.machine(run);
        if (GpuAccess.runsUnderNvidia(ground, run) && Nvml.trouble(machine).isEmpty()) {
            machine.write(READY, "");
            return done(now);
        }
        return fails(run, now, 1, List.of(text("toolkitNotReady", run)));
    }
}
