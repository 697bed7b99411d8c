package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.DriverFacts;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.machine.Nvml;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code nvidia-validator} for the driver: it looks for a host's driver, then waits for the driver container, and
 * leaves {@code driver-ready}. (facts: cluster.md 1.4)
 */
final class DriverValidation extends ScriptedProgram {
    private static final String READY = NodeMachine.VALIDATIONS + "driver-ready";

    DriverValidation(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return "driver-validation";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant tried = at(run, "driverValidationTries");
        if (now.isBefore(tried)) {
            return waits(tried);
        }
        NodeMachine machine = ground.machine(run);
        DriverFacts driver = machine.driver();
        boolean host = DriverManager.hasHostDriver(machine, driver);
        if (!host && !machine.has(DriverContainer.READY)) {
            Journal.sayOnce(run, now, text("waitingForDriver", run));
            return waits(Instant.MAX);
        }
        Optional<String> trouble = Nvml.trouble(machine);
        if (trouble.isPresent()) {
            // Nothing is written first: each change of the machine calls this program again.
            machine.remove(List.of(READY));
            Journal.sayOnce(run, now, "Failed to initialize NVML: " + trouble.get());
            return waits(Instant.MAX);
        }
        write(run, machine, host);
        Journal.say(run, now, text(host ? "hostDriverValid" : "containerDriverValid", run));
        return done(now);
    }

    private void write(Run run, NodeMachine machine, boolean host) {
        String installed = run.environment("DRIVER_INSTALL_DIR").orElse("/run/nvidia/driver");
        String root = host ? "/" : installed;
        String inside = host ? "/host" : "/driver-root";
        machine.write(READY, "IS_HOST_DRIVER=" + host + "\nNVIDIA_DRIVER_ROOT=" + root + "\nDRIVER_ROOT_CTR_PATH="
                + inside + "\nNVIDIA_DEV_ROOT=" + root + "\nDEV_ROOT_CTR_PATH=" + inside + "\n");
    }
}
