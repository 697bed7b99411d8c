package dev.pitwall.ui;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javafx.application.Platform;

/**
 * The only way onto the JavaFX thread. Everything that happens often goes through {@link #latest}, which keeps the last
 * value only, so that a flood of changes costs a few drawings a second and never fills the toolkit's queue.
 */
public final class UiThread implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ui-pace").factory());
    private final StallWatch stalls = new StallWatch(timer, this::later);

    /** Runs the action on the JavaFX thread: now if this is that thread, else soon. */
    public void run(Runnable action) {
        if (Platform.isFxApplicationThread()) {
            action.run();
        } else {
            later(action);
        }
    }

    /** Runs the action on the JavaFX thread after what is queued there. */
    public void later(Runnable action) {
        Platform.runLater(action);
    }

    /**
     * A setter that any thread may call as often as it likes.
     *
     * @param pace shortest time between two drawings
     * @param draw gets the last value, on the JavaFX thread
     */
    public <T> Consumer<T> latest(Duration pace, Consumer<? super T> draw) {
        return new Latest<>(pace.toNanos(), draw);
    }

    /**
     * Runs the action again and again on the JavaFX thread. A round is skipped while the one before still waits.
     *
     * @return stops it
     */
    public Runnable every(Duration interval, Runnable action) {
        Consumer<Boolean> once = latest(Duration.ZERO, _ -> action.run());
        var ticking = timer.scheduleAtFixedRate(() -> once.accept(true), interval.toMillis(), interval.toMillis(),
                TimeUnit.MILLISECONDS);
        return () -> ticking.cancel(false);
    }

    /** Runs the action once on the JavaFX thread, after a while. */
    public void after(Duration delay, Runnable action) {
        timer.schedule(() -> later(action), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Watches this thread for stalls. */
    public StallWatch stalls() {
        return stalls;
    }

    /** Stops pacing and watching; nothing more is drawn by it. */
    @Override
    public void close() {
        timer.shutdownNow();
    }

    private final class Latest<T> implements Consumer<T> {
        private final AtomicReference<T> slot = new AtomicReference<>();
        private final long paceNanos;
        private final Consumer<? super T> draw;
        private volatile long lastDrawn;

        Latest(long paceNanos, Consumer<? super T> draw) {
            this.paceNanos = paceNanos;
            this.draw = draw;
            this.lastDrawn = System.nanoTime() - paceNanos;
        }

        @Override
        public void accept(T value) {
            if (slot.getAndSet(value) != null || timer.isShutdown()) {
                return;
            }
            long wait = lastDrawn + paceNanos - System.nanoTime();
            if (wait <= 0) {
                later(this::drain);
            } else {
                timer.schedule(() -> later(this::drain), wait, TimeUnit.NANOSECONDS);
            }
        }

        private void drain() {
            lastDrawn = System.nanoTime();
            T value = slot.getAndSet(null);
            if (value != null) {
                draw.accept(value);
            }
        }
    }
}
