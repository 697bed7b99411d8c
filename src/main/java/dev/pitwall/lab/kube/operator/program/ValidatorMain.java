package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.NodeMachine;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The validator's last container: it stays, and removes the marker files when it ends, so that others wait again. */
final class ValidatorMain extends ScriptedProgram {
    private static final List<String> MARKERS = Stream.of("driver-ready", "toolkit-ready", "cuda-ready", "plugin-ready")
            .map(NodeMachine.VALIDATIONS::concat).toList();

    ValidatorMain(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return "nvidia-operator-validator";
    }

    @Override
    public Doing look(Run run, Instant now) {
        return Doing.ready();
    }

    @Override
    public boolean followsWorld() {
        return false;
    }

    @Override
    public void ended(Run run, Instant now) {
        ground.machine(run).remove(MARKERS);
    }
}
