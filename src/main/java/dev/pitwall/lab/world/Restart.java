package dev.pitwall.lab.world;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reboots and shutdowns as they are asked for on a machine itself: it answers on no port for a while, and comes back
 * with a new kernel. {@link PowerSwitch} says what a start and a stop mean. Call all inside {@link World#change}.
 */
public final class Restart {
    /** From the last answer to the next, in lab time: a physical machine's firmware takes most of it. */
    public static final Duration HOST_DOWN = Duration.ofSeconds(90);
    public static final Duration GUEST_DOWN = Duration.ofSeconds(20);
    /** A Proxmox host starts its VMs when it has come up itself. */
    public static final Duration BEFORE_GUESTS = Duration.ofSeconds(10);

    private Restart() {
    }

    /** {@code reboot} on a physical machine: its VMs stop, it goes down and boots; those with {@code onboot: 1} follow. */
    public static void host(World world, LabHost host, Instant now) {
        goDown(world, host, now);
        world.plan(now.plus(HOST_DOWN), w -> comeUp(w, host));
    }

    /** {@code poweroff} on a physical machine: it stays down until somebody presses the button. */
    public static void powerOff(World world, LabHost host, Instant now) {
        goDown(world, host, now);
    }

    /** {@code reboot} inside a VM: the VM goes on, so its pending configuration stays pending. */
    public static void guest(World world, LabVm vm, Instant now) {
        Instant started = vm.startedAt;
        List<LabNode> guests = world.nodes.values().stream().filter(node -> node.vmid == vm.vmid).toList();
        guests.forEach(node -> {
            node.off = true;
            node.system.wentDown = now;
        });
        Wiring.renew(world);
        world.plan(now.plus(GUEST_DOWN), w -> {
            if (vm.status.equals("running") && vm.startedAt.equals(started)) {
                PowerSwitch.rebootGuest(w, vm, w.clock().instant());
            }
        });
    }

    private static void goDown(World world, LabHost host, Instant now) {
        world.vms.values().stream().filter(vm -> vm.host.equals(host.name) && !vm.status.equals("stopped"))
                .forEach(vm -> PowerSwitch.stop(world, vm));
        containers(world, host).forEach(container -> container.runs = false);
        host.off = true;
        host.system.wentDown = now;
        Wiring.renew(world);
    }

    private static void comeUp(World world, LabHost host) {
        if (!host.off) {
            return;
        }
        Instant now = world.clock().instant();
        List<LabVm> onBoot = PowerSwitch.bootHost(world, host, now);
        world.plan(now.plus(BEFORE_GUESTS), w -> onBoot.stream()
                .filter(vm -> !host.off && vm.status.equals("stopped") && w.vms.containsValue(vm))
                .forEach(vm -> PowerSwitch.start(w, vm, w.clock().instant())));
        world.plan(now.plus(BEFORE_GUESTS), w -> containers(w, host).filter(container -> !host.off)
                .forEach(container -> container.runs = container.startsWithHost()));
    }

    private static Stream<LabContainer> containers(World world, LabHost host) {
        return world.containers.values().stream().filter(container -> container.host.equals(host.name));
    }
}
