package dev.pitwall.lab.life;

import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;

/** A driver that compiles is loaded after about three minutes; the runtime is configured with it. */
final class NodeLife implements LabLife.Behaviour {
    /** "About 3 minutes on first boot". [mission: gpu-operator-on-rke2] */
    static final Duration COMPILE = Duration.ofMinutes(3);

    @Override
    public void step(World world, Instant now, double seconds) {
        boolean changed = false;
        for (LabNode node : world.nodes.values()) {
            if (node.ready && node.driver.equals("compiling") && !node.driverSince.plus(COMPILE).isAfter(now)) {
                node.driver = "loaded";
                node.driverSince = now;
                node.toolkitReady = true;
                changed = true;
            }
        }
        if (changed) {
            Wiring.renew(world);
        }
    }
}
