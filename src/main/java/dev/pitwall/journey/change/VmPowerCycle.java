package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Optional;

/**
 * A VM is shut down by its guest, and started again, which is what makes pending changes live; a VM that is off is only
 * started. A guest that does not shut down in time stops the run: it is never cut off. Of a VM that is a node the pods
 * leave before, where they can run elsewhere; then it is done when the node is ready again and takes pods if it took some.
 *
 * @param kubernetes the node that it is; empty for a VM that is none, or is off
 * @param shutdown how long the guest may take to shut down
 * @param start    how long Proxmox may take to start it: a VM with a card pins all its memory first
 */
public record VmPowerCycle(String node, int vmid, String name, Optional<NodeDown> kubernetes, Duration shutdown,
                           Duration start) implements Change {

    /** Of a VM that is no node. */
    public VmPowerCycle(String node, int vmid, String name, Duration shutdown, Duration start) {
        this(node, vmid, name, Optional.empty(), shutdown, start);
    }

    /** The same with the pods that are on its node now. */
    public VmPowerCycle with(Optional<NodeDown> now) {
        return new VmPowerCycle(node, vmid, name, now, shutdown, start);
    }

    @Override
    public String system() {
        return node;
    }

    @Override
    public String target() {
        return "Power-cycle VM " + vmid;
    }

    @Override
    public String summary() {
        String pods = NodeDown.summary(kubernetes.stream().toList());
        return pods.isEmpty() ? name : name + ": " + pods;
    }

    @Override
    public Risk risk() {
        return Risk.POWER_CYCLES_VM;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of("undo power-cycles it again");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(Duration.ofMinutes(1));
    }
}
