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

    String user() {
        return task.user;
    }

    void line(String text) {
        world.change(w -> task.log.add(text));
    }

    /** A warning that counts: the task then ends with {@code WARNINGS: n}. */
    void warning(String text) {
        world.change(w -> {
            task.log.add("WARN: " + text);
            task.warnings++;
        });
    }

    /** Takes some lab time. */
    void pause(Duration time) throws InterruptedException {
        world.clock().await(world.clock().instant().plus(time));
    }
}
