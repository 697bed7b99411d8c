package dev.pitwall.lab.life;

import dev.pitwall.lab.world.World;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lets a lab change by itself: requests come and go, cards warm up and cool down. One
 * thread, a few steps a second; the world's seed makes two runs alike.
 */
public final class LabLife implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LabLife.class);
    private static final long STEP_MILLIS = 250;
    /** After a pause, as when a laptop slept, life goes on rather than catching up. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(5);

    private final World world;
    private final Runnable afterStep;
    private final List<Behaviour> behaviours;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("lab-life").factory());
    private Instant last;

    /** Something that changes with time. */
    @FunctionalInterface
    interface Behaviour {
        /**
         * Called inside {@link World#change}.
         *
         * @param now     lab time
         * @param seconds lab seconds since the last step, over 0
         */
        void step(World world, Instant now, double seconds);
    }

    private LabLife(World world, Runnable afterStep, List<Behaviour> behaviours) {
        this.world = world;
        this.afterStep = afterStep;
        this.behaviours = behaviours;
        this.last = world.clock().instant();
    }

    /** @param afterStep called after every step, outside the world's lock */
    public static LabLife start(World world, Runnable afterStep) {
        LabLife life = new LabLife(world, afterStep, List.of(new RequestLife(), new CardLife(), new VmLife()));
        life.thread.scheduleWithFixedDelay(life::step, STEP_MILLIS, STEP_MILLIS, TimeUnit.MILLISECONDS);
        return life;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void step() {
        try {
            Instant now = world.clock().instant();
            Duration passed = Duration.between(last, now);
            last = now;
            if (passed.isPositive()) {
                double seconds = Math.min(passed.toNanos(), LONGEST_STEP.toNanos()) / 1e9;
                world.change(w -> w.runDue(now));
                world.change(w -> behaviours.forEach(behaviour -> behaviour.step(w, now, seconds)));
                afterStep.run();
            }
        } catch (RuntimeException e) {
            // One bad step must not end all later ones.
            LOG.error("a step of the lab's life failed", e);
        }
    }
}
