package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

/** What the container runtimes of the nodes know. Safe for any number of threads. */
@FunctionalInterface
public interface RuntimeHandlers {

    /** @param handler of a RuntimeClass, for example {@code nvidia}; empty for the runtime's default */
    boolean hasHandler(String node, String handler);

    /** As the world has it: {@code runc} is there always, NVIDIA's handlers where the toolkit has configured them. */
    static RuntimeHandlers of(World world) {
        return (node, handler) -> handler.isEmpty() || handler.equals("runc")
                || handler.startsWith("nvidia") && world.read(w -> {
                    LabNode machine = w.nodes.get(node);
                    return machine != null && machine.toolkitReady;
                });
    }
}
