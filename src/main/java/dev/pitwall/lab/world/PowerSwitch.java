package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.List;

/**
 * Turns machines on and off: the one place that changes {@link LabVm#status} and the boot times. Who may do so, what it
 * is called and how long it takes is the caller's. Call it inside {@link World#change}.
 */
public final class PowerSwitch {
    private PowerSwitch() {
    }

    /** A stopped VM starts with its configuration as it is now: pending changes take effect. Its guest boots. */
    public static void start(World world, LabVm vm, Instant now) {
        vm.running.clear();
        vm.running.putAll(vm.config);
        vm.status = "running";
        vm.startedAt = now;
        Wiring.renew(world);
        guestBoots(world, vm, now);
    }

    /** A VM stops: its node no longer answers and its cards are free. */
    public static void stop(World world, LabVm vm) {
        if (!vm.status.equals("stopped")) {
            Instant now = world.clock().instant();
            world.nodes.values().stream().filter(node -> node.vmid == vm.vmid)
                    .forEach(node -> node.system.wentDown = now);
        }
        vm.status = "stopped";
        vm.running.clear();
        Wiring.renew(world);
    }

    /** The guest boots anew inside the VM that goes on: pending changes stay pending. */
    public static void rebootGuest(World world, LabVm vm, Instant now) {
        guestBoots(world, vm, now);
    }

    /**
     * A physical machine boots: its VMs are stopped and those with {@code onboot: 1} start with it.
     *
     * @return the VMs that the host is to start at boot, in the order of their numbers; the caller starts them when its
     *         time has come
     */
    public static List<LabVm> bootHost(World world, LabHost host, Instant now) {
        List<LabVm> here = world.vms.values().stream().filter(vm -> vm.host.equals(host.name)).toList();
        here.forEach(vm -> stop(world, vm));
        host.off = false;
        host.bootedAt = now;
        host.kernelLog.clear();
        boots(world, host.name, now);
        world.nodes.values().stream().filter(node -> node.vmid == 0 && node.host.equals(host.name)).forEach(node -> {
            node.bootedAt = now;
            boots(world, node.name, now);
        });
        Wiring.renew(world);
        return here.stream().filter(vm -> "1".equals(vm.config.get("onboot"))).toList();
    }

    private static void guestBoots(World world, LabVm vm, Instant now) {
        world.nodes.values().stream().filter(node -> node.vmid == vm.vmid).forEach(node -> {
            node.off = false;
            node.bootedAt = now;
            boots(world, node.name, now);
        });
        Wiring.renew(world);
    }

    private static void boots(World world, String machine, Instant now) {
        world.bootSteps.forEach(step -> step.onBoot(world, machine, now));
    }
}
