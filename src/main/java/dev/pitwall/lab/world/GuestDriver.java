package dev.pitwall.lab.world;

import java.time.Instant;

/**
 * The NVIDIA kernel module of a node: the one place that changes {@link LabNode#driver} and what belongs to it. The
 * driver container of the cluster, a package installed over SSH, a boot and a lost card all come here. Call it inside
 * {@link World#change}.
 */
public final class GuestDriver {
    private GuestDriver() {
    }

    /** A compile has begun. */
    public static void compile(World world, LabNode node, String version, Source source, Instant now) {
        put(world, node, "compiling", version, source, now);
    }

    /** The module is in the kernel. The driver container unloads nouveau first, where a boot has given it the card. */
    public static void load(World world, LabNode node, String version, Source source, Instant now) {
        if (source == Source.CONTAINER) {
            node.system.bound.values().removeIf("nouveau"::equals);
        }
        put(world, node, "loaded", version, source, now);
    }

    /** The module was built, or installed, and the kernel does not take it. */
    public static void fail(World world, LabNode node, String version, Source source, Instant now) {
        put(world, node, "failed", version, source, now);
    }

    /** The module has gone, as at a boot or with {@code rmmod}. */
    public static void unload(World world, LabNode node, Instant now) {
        put(world, node, "absent", "", Source.NONE, now);
    }

    private static void put(World world, LabNode node, String state, String version, Source source, Instant now) {
        boolean same = node.driver.equals(state) && node.driverSource == source
                && node.driverVersion.equals(version);
        if (same) {
            return;
        }
        node.driver = state;
        node.driverVersion = version;
        node.driverSource = source;
        node.driverSince = now;
        Wiring.renew(world);
    }

    /** Who brought the module. */
    public enum Source {
        /** Nobody; there is none. */
        NONE,
        /** The operating system's own packages: it is loaded again at each boot. */
        HOST,
        /** The GPU Operator's driver container: a boot takes it away, and the container compiles or loads it again. */
        CONTAINER
    }
}
