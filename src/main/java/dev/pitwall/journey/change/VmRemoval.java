package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Optional;

/**
 * A VM that a run has made is destroyed with its disks. It is made only while the VM is off and still known by its
 * UUID; it is never stopped for that.
 *
 * @param uuid SMBIOS UUID, lower case
 */
public record VmRemoval(String node, int vmid, String name, String uuid) implements Change {

    @Override
    public String system() {
        return node;
    }

    @Override
    public String target() {
        return "/nodes/" + node + "/qemu/" + vmid;
    }

    @Override
    public String summary() {
        return "destroys VM " + vmid + " (" + name + ") with its disks";
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.empty();
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(Duration.ofSeconds(10));
    }
}
