package dev.pitwall.lab.ssh.software;

import dev.pitwall.lab.world.World;

import java.io.IOException;
import java.time.Duration;

/** Lab time that a program takes. */
public final class Waits {
    private Waits() {
    }

    /** @throws IOException if the program is stopped meanwhile */
    public static void pass(World world, Duration time) throws IOException {
        try {
            world.clock().await(world.clock().instant().plus(time));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
