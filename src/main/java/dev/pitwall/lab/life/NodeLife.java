package dev.pitwall.lab.life;

import dev.pitwall.lab.world.ContainerRuntime;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;

/** A driver that compiles is loaded after about three minutes; the runtime is configured with it. */
final class NodeLife implements LabLife.Behaviour {
    /** "About 3 minutes on first boot". [mission: gpu-operator-on-rke2] */
    static final Duration COMPILE = Duration.ofMinutes(3);

    @Override
    public void step(World world, Instant now, double seconds) {
        for (LabNode node : world.nodes.values()) {
            if (node.ready && node.driver.equals("compiling") && !node.driverSince.plus(COMPILE).isAfter(now)) {
                GuestDriver.load(world, node, node.driverVersion, node.driverSource, now);
                ContainerRuntime.configure(world, node);
            }
        }
    }
}
