package dev.pitwall.lab.world;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A state that the lab leaves by itself. As soon as it is there the lab's clock all but stands still, so that a test can
 * look at it for as long as it takes, however busy the computer is; closing lets the clock go on.
 */
public final class PassingState implements AutoCloseable {
    /** Half a minute of lab time takes the better part of a day. */
    private static final double STILL = 0.001;
    private static final int PATIENCE_SECONDS = 60;

    private final CountDownLatch there = new CountDownLatch(1);
    private final World world;
    private final double speed;
    private final Listening listening;

    private PassingState(World world, double speed, Predicate<World> state) {
        this.world = world;
        this.speed = speed;
        this.listening = world.onChange(() -> {
            if (there.getCount() > 0 && world.read(state::test)) {
                world.clock().speed(STILL);
                there.countDown();
            }
        });
    }

    /**
     * Watches for a state from now on.
     *
     * @param speed of the lab's clock before and after
     */
    public static PassingState of(World world, double speed, Predicate<World> state) {
        return new PassingState(world, speed, state);
    }

    /** It has come, and the clock stands all but still. */
    public boolean isThere() {
        return there.getCount() == 0;
    }

    /** Waits until it is there. */
    public void await() throws InterruptedException {
        if (!there.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the state did not come within " + PATIENCE_SECONDS + " s");
        }
    }

    @Override
    public void close() {
        listening.close();
        world.clock().speed(speed);
    }
}
