package dev.pitwall.engine.figure;

import dev.pitwall.card.TroubleException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what is measured and keeps it in batches, on a thread of its own. The last hour is at hand in memory, that of
 * an earlier run too; older times are read from what is kept.
 */
public final class FigureLog implements Figures, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FigureLog.class);
    /** Each batch costs the disk one write that is waited for, and a run that is killed loses no more than one. */
    private static final Duration BATCH = Duration.ofSeconds(30);
    private static final Duration END = Duration.ofSeconds(5);

    private final Supplier<FigureHistory> opening;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final RecentFigures recent = new RecentFigures();
    private final Semaphore closing = new Semaphore(0);
    private final Set<Thread> reading = ConcurrentHashMap.newKeySet();
    private final Thread writer;
    private volatile FigureHistory history = FigureHistory.NONE;
    private volatile boolean closed;

    /** @param opening called on a thread of the log: it may have to wait for a disk */
    public FigureLog(String name, Supplier<FigureHistory> opening, InstantSource clock) {
        this.opening = opening;
        this.clock = clock;
        this.writer = Thread.ofVirtual().name("figures of " + name).unstarted(this::run);
    }

    public void start() {
        writer.start();
    }

    /** What sources tell now; what they told before is known by its time. */
    public void take(List<Measured> measured) {
        lock.lock();
        try {
            recent.take(measured, clock.instant());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Point> lastHour(Series series) {
        lock.lock();
        try {
            return recent.of(series);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void since(Series series, Instant from, Consumer<List<Point>> then) {
        Thread reader = Thread.ofVirtual().name("reads figures").unstarted(() -> {
            try {
                List<Point> kept = history.since(series, from);
                if (!closed) {
                    then.accept(kept.isEmpty() ? lastHour(series) : kept);
                }
            } catch (TroubleException e) {
                LOG.warn("What was measured earlier is not shown: {}", e.trouble().sentence());
                then.accept(lastHour(series));
            } finally {
                reading.remove(Thread.currentThread());
            }
        });
        reading.add(reader);
        if (!closed) {
            reader.start();
        }
    }

    private void run() {
        begin();
        try {
            while (!closing.tryAcquire(BATCH.toMillis(), TimeUnit.MILLISECONDS)) {
                keep();
            }
        } catch (InterruptedException e) {
            LOG.debug("no more figures are kept");
        }
        keep();
    }

    private void begin() {
        history = opening.get();
        try {
            var earlier = history.since(Grain.SAMPLE.end(clock.instant()));
            lock.lock();
            try {
                recent.begin(earlier);
            } finally {
                lock.unlock();
            }
        } catch (TroubleException e) {
            LOG.warn("The curves begin anew: {}", e.trouble().sentence());
        }
    }

    private void keep() {
        List<Sample> batch;
        lock.lock();
        try {
            batch = recent.fresh();
        } finally {
            lock.unlock();
        }
        if (batch.isEmpty()) {
            return;
        }
        try {
            history.add(batch, clock.instant());
        } catch (TroubleException e) {
            LOG.warn("What was measured is not kept yet: {}", e.trouble().sentence());
            lock.lock();
            try {
                recent.again(batch, clock.instant());
            } finally {
                lock.unlock();
            }
        }
    }

    /** Keeps what has come last, then ends. */
    @Override
    public void close() {
        closed = true;
        closing.release();
        try {
            if (writer.getState() != Thread.State.NEW) {
                writer.join(END);
            }
            for (Thread reader : reading) {
                if (reader.getState() != Thread.State.NEW) {
                    reader.join(END);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
