package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabTask;
import dev.pitwall.lab.world.World;

import java.time.Duration;

/** A running task, as its work sees it: it writes lines, and it takes time. */
final class TaskLog {
    private final World world;
    private final LabTask task;

    TaskLog(World world, LabTask task) {
        this.world = world;
        this.task = task;
    }

    void line(String text) {
        world.change(w -> task.log.add(text));
    }

    /** Takes some lab time. */
    void pause(Duration time) throws InterruptedException {
        world.clock().await(world.clock().instant().plus(time));
    }
}
