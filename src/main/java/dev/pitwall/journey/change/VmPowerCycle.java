package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Optional;

/**
 * A VM is shut down by its guest, and started again, which is what makes pending changes live; a VM that is off is only
 * started. A guest that does not shut down in time stops the run: it is never cut off.
 *
 * @param shutdown how long the guest may take to shut down
 * @param start    how long Proxmox may take to start it: a VM with a card pins all its memory first
 */
public record VmPowerCycle(String node, int vmid, String name, Duration shutdown, Duration start)
        implements Change {

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
        return name;
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
