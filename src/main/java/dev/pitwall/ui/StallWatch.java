package dev.pitwall.ui;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how long the JavaFX thread takes to answer and logs when it takes longer than a person accepts as "at once".
 * One question is on its way at a time, so the watch itself costs next to nothing.
 */
public final class StallWatch {

    /** From here on a person notices. */
    public static final Duration LIMIT = Duration.ofMillis(100);

    private static final long ASK_EVERY_MILLIS = 25;

    private final ScheduledExecutorService timer;
    private final Consumer<Runnable> later;
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong askedAt = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong busiestNanos = new AtomicLong();
    /** Processor time of the JavaFX thread at its last answer; 0 before the first. */
    private long workedBefore;

    StallWatch(ScheduledExecutorService timer, Consumer<Runnable> later) {
        this.timer = timer;
        this.later = later;
    }

    /** Begins to watch. Call it after the first frame: what comes before is start-up, not a stall. */
    public void start() {
        timer.execute(StallWatch::processorTime);
        timer.scheduleAtFixedRate(this::ask, 0, ASK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The longest time the thread did not answer since the start or the last {@link #reset}. */
    public Duration longest() {
        long open = askedAt.get();
        long running = open == 0 ? 0 : System.nanoTime() - open;
        return Duration.ofNanos(Math.max(longestNanos.get(), running));
    }

    /**
     * The most processor time the thread spent between two answers. Unlike {@link #longest} it does not grow when other
     * processes take the processor or the garbage collector stops everybody; zero where the system does not tell.
     */
    public Duration busiest() {
        return Duration.ofNanos(busiestNanos.get());
    }

    /** How often it took longer than {@link #LIMIT}. */
    public long count() {
        return count.get();
    }

    /** Forgets what was measured. */
    public void reset() {
        longestNanos.set(0);
        count.set(0);
        busiestNanos.set(0);
    }

    private void ask() {
        if (askedAt.compareAndSet(0, System.nanoTime())) {
            later.accept(this::answer);
        }
    }

    private void answer() {
        long took = System.nanoTime() - askedAt.getAndSet(0);
        longestNanos.accumulateAndGet(took, Math::max);
        long worked = processorTime();
        if (workedBefore != 0) {
            busiestNanos.accumulateAndGet(worked - workedBefore, Math::max);
        }
        workedBefore = worked;
        if (took > LIMIT.toNanos()) {
            count.incrementAndGet();
            log().warn("The window did not react for {} ms", Duration.ofNanos(took).toMillis());
        }
    }

    /** Looked up late, as the logging system below. */
    private static long processorTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : 0;
    }

    /** Looked up late: the logging system is not loaded before the first frame. */
    private static Logger log() {
        return LoggerFactory.getLogger(StallWatch.class);
    }
}
