package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.CardInjection;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.machine.Nvml;

import java.util.Optional;

/** Whether a container sees its node's cards, and what CUDA says where it does not. */
public final class GpuAccess {
    static final String PLUGIN_SPEC = CardInjection.PLUGIN_SPEC;
    /** What CUDA says without the driver's library, or with one that is too old for it. */
    static final String INSUFFICIENT = "CUDA driver version is insufficient for CUDA runtime version";

    private GpuAccess() {
    }

    /** Its pod's runtime class leads to an nvidia handler, or that is the node's default. */
    static boolean runsUnderNvidia(Ground ground, Run run) {
        return injection(ground, run).runsUnderNvidia(run.pod().object().tree());
    }

    private static CardInjection injection(Ground ground, Run run) {
        return new CardInjection(ground.machine(run), ground.hand()::find);
    }

    /** What CUDA says when it cannot start in this container; empty if it can. */
    public static Optional<String> trouble(Ground ground, Run run) {
        NodeMachine machine = ground.machine(run);
        boolean injected = !injection(ground, run).ids(run.pod().object().tree(), run.devices(),
                run.environment("NVIDIA_VISIBLE_DEVICES")).isEmpty();
        if (!injected) {
            return Optional.of(INSUFFICIENT);
        }
        return Nvml.trouble(machine).map(trouble -> trouble.startsWith("Driver/library")
                ? "system has unsupported display driver / cuda driver combination" : "unknown error");
    }
}
