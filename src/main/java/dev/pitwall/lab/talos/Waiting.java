package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets calls that follow something wait for the next change of the world. */
final class Waiting implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofMillis(500);

    private final Set<Semaphore> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Waiting(World world) {
        world.onChange(() -> waiting.forEach(Semaphore::release));
    }

    /** Runs {@code step} now and after each change, until it says false or the lab closes. */
    void follow(BooleanSupplier step) {
        Semaphore changes = new Semaphore(0);
        waiting.add(changes);
        try {
            while (!closed && step.getAsBoolean()) {
                changes.tryAcquire(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
                changes.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiting.remove(changes);
        }
    }

    @Override
    public void close() {
        closed = true;
        waiting.forEach(Semaphore::release);
    }
}
