package dev.pitwall.lab.life;

import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.time.Instant;

/** CPU and memory of the VMs wander around what is usual for them; a guest that has booted begins to answer. */
final class VmLife implements LabLife.Behaviour {
    private static final double USUAL_CPU = 0.06;
    private static final double USUAL_MEMORY = 0.58;
    private static final double CPU_SECONDS = 20;
    private static final double MEMORY_SECONDS = 600;

    @Override
    public void step(World world, Instant now, double seconds) {
        PowerSwitch.settle(world, now);
        double shake = Math.min(1, Math.sqrt(seconds));
        if (world.nodes.values().stream().anyMatch(node -> !node.ready && hasBooted(world, node, now))) {
            Wiring.renew(world);
        }
        for (LabVm vm : world.vms.values()) {
            if (vm.status.equals("running")) {
                vm.cpuLoad = within(0.003, 0.95, Inertia.towards(vm.cpuLoad, USUAL_CPU, seconds, CPU_SECONDS)
                        + world.random().nextGaussian() * 0.01 * shake);
                vm.memoryShare = within(0.2, 0.92, Inertia.towards(vm.memoryShare, USUAL_MEMORY, seconds,
                        MEMORY_SECONDS) + world.random().nextGaussian() * 0.002 * shake);
            }
        }
    }

    private static boolean hasBooted(World world, LabNode node, Instant now) {
        return node.vmid != 0 && world.vms.containsKey(node.vmid) && world.vms.get(node.vmid).answers(now)
                && world.hosts.get(node.host).answers();
    }

    private static double within(double least, double most, double value) {
        return Math.max(least, Math.min(most, value));
    }
}
