package dev.pitwall.lab.world;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns machines on and off: the one place that changes {@link LabVm#status} and the boot times. Who may do so, what it
 * is called and how long it takes is the caller's. Call it inside {@link World#change}.
 */
public final class PowerSwitch {
    private PowerSwitch() {
    }

    /** A stopped VM starts with its configuration as it is now: pending changes take effect. Its guest boots. */
    public static void start(World world, LabVm vm, Instant now) {
        power(vm, now);
        vm.status = "running";
        vm.guestUpAt = now.plus(world.guestBoot);
        guestBoots(world, vm, now);
    }

    /**
     * A stopped VM starts as far as a backup needs it: it holds its memory and its cards, and no guest runs in it.
     */
    public static void prelaunch(World world, LabVm vm, Instant now) {
        power(vm, now);
        vm.status = "prelaunch";
        Wiring.renew(world);
    }

    /** A running VM's guest stands still; it keeps memory and cards. */
    public static void pause(World world, LabVm vm) {
        vm.status = "paused";
        Wiring.renew(world);
    }

    /** A paused VM's guest goes on where it was; one that a backup holds begins to boot. */
    public static void resume(World world, LabVm vm, Instant now) {
        boolean first = vm.status.equals("prelaunch");
        vm.status = "running";
        if (first) {
            vm.guestUpAt = now.plus(world.guestBoot);
            guestBoots(world, vm, now);
        } else {
            Wiring.renew(world);
        }
    }

    /**
     * A guest that was asked to power off does so after a while, also when nobody waits for it any more. One that has not
     * booted yet hears the request when it has.
     *
     * @param takes how long the guest needs for it
     */
    public static void askGuestToPowerOff(LabVm vm, Instant now, Duration takes) {
        Instant heard = vm.guestUpAt.isAfter(now) ? vm.guestUpAt : now;
        if (vm.guestOffAt.isEmpty()) {
            vm.guestOffAt = Optional.of(heard.plus(takes));
        }
    }

    /** Stops the VMs whose guests have powered off by now. */
    public static void settle(World world, Instant now) {
        List<LabVm> off = world.vms.values().stream().filter(vm -> vm.status.equals("running")
                && vm.guestOffAt.filter(at -> !at.isAfter(now)).isPresent()).toList();
        off.forEach(vm -> stop(world, vm));
    }

    /**
     * Says which PCI functions a VM was given; call it before the VM is started.
     *
     * @param functions addresses by {@code hostpciN}
     */
    public static void pass(LabVm vm, Map<String, List<String>> functions) {
        vm.passed.clear();
        vm.passed.putAll(functions);
    }

    private static void power(LabVm vm, Instant now) {
        vm.running.clear();
        vm.running.putAll(vm.config);
        vm.startedAt = now;
        vm.guestOffAt = Optional.empty();
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
        vm.passed.clear();
        vm.guestOffAt = Optional.empty();
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
        if (!host.off) {
            host.haMode = HaMode.ACTIVE;
        }
        Wiring.renew(world);
        return here.stream().filter(vm -> "1".equals(vm.config.get("onboot"))).toList();
    }

    private static void guestBoots(World world, LabVm vm, Instant now) {
        // What a boot does may look at what the machine sees, its cards first of all.
        Wiring.renew(world);
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
