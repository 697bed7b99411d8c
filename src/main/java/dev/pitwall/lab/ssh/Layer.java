package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.LabSystem;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What was written on a machine that is no part of the world, as a container's writable layer: it goes with what it belongs
 * to, and nobody is told when it changes. Safe for any number of threads.
 */
public final class Layer {
    private final LabSystem system = new LabSystem();
    private final Map<String, byte[]> files = new TreeMap<>();
    private final Predicate<String> readOnly;
    private int changes;

    /** @param readOnly absolute paths at which nothing can be written */
    public Layer(Predicate<String> readOnly) {
        this.readOnly = readOnly;
    }

    /** Looks at it and perhaps changes it. */
    synchronized <T> T with(Function<Layer, T> look) {
        return look.apply(this);
    }

    /** Something was changed. */
    synchronized void changed() {
        changes++;
    }

    /** Files that were written, by absolute path. */
    public synchronized Map<String, byte[]> files() {
        return Map.copyOf(files);
    }

    synchronized int changes() {
        return changes;
    }

    Map<String, byte[]> written() {
        return files;
    }

    LabSystem system() {
        return system;
    }

    boolean isReadOnly(String path) {
        return readOnly.test(path);
    }
}
