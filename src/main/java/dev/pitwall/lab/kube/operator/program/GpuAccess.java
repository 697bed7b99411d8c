package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.operator.node.NodeMachine;
import dev.pitwall.lab.kube.operator.node.NodeRuntime;
import dev.pitwall.lab.kube.operator.node.Nvml;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;

import java.util.Optional;

/**
 * Whether a container sees its node's cards: through the nvidia runtime, or because the container runtime resolves the
 * CDI names of the devices it was given. (facts: cluster.md 1.5)
 */
public final class GpuAccess {
    private static final Resource CLASSES = new Resource("node.k8s.io", "runtimeclasses");
    /** The CDI description that the device plugin writes. */
    static final String PLUGIN_SPEC = "/var/run/cdi/k8s.device-plugin.nvidia.com-gpu.json";
    /** What CUDA says without the driver's library, or with one that is too old for it. */
    static final String INSUFFICIENT = "CUDA driver version is insufficient for CUDA runtime version";

    private GpuAccess() {
    }

    /** Its pod's runtime class leads to an nvidia handler, or that is the node's default. */
    static boolean runsUnderNvidia(Ground ground, Run run) {
        JsonNode name = run.pod().object().tree().at("/spec/runtimeClassName");
        if (name.asText("").isEmpty()) {
            return new NodeRuntime(ground.machine(run)).nvidiaIsDefault();
        }
        return ground.hand().find(new ObjectKey(CLASSES, "", name.asText()))
                .map(found -> found.tree().path("handler").asText("")).filter(h -> h.startsWith("nvidia")).isPresent();
    }

    /** What CUDA says when it cannot start in this container; empty if it can. */
    public static Optional<String> trouble(Ground ground, Run run) {
        NodeMachine machine = ground.machine(run);
        boolean given = run.devices().keySet().stream().anyMatch(name -> name.startsWith("nvidia.com/"));
        boolean asks = given || run.environment("NVIDIA_VISIBLE_DEVICES")
                .filter(value -> !value.equals("void") && !value.isEmpty()).isPresent();
        boolean injected = asks && runsUnderNvidia(ground, run)
                || given && machine.has(PLUGIN_SPEC) && new NodeRuntime(machine).knowsCdi();
        if (!injected) {
            return Optional.of(INSUFFICIENT);
        }
        return Nvml.trouble(machine).map(trouble -> trouble.startsWith("Driver/library")
                ? "system has unsupported display driver / cuda driver combination" : "unknown error");
    }
}
