package dev.pitwall.lab.world;

import java.time.Instant;

/**
 * What a machine's start does beyond its power: the kernel reads its command line, the initramfs binds drivers, installed modules are
 * loaded, files under {@code /run} are gone.
 */
@FunctionalInterface
public interface BootStep {
    /**
     * Called inside {@link World#change} at each start of a machine's kernel, after its power state was written.
     *
     * @param machine name of a host or a node
     */
    void onBoot(World world, String machine, Instant now);
}
