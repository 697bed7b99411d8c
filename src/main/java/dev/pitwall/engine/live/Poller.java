package dev.pitwall.engine.live;

import dev.pitwall.card.TroubleException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks one model server again and again what it has in memory. */
final class Poller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
    private static final Duration END = Duration.ofSeconds(5);

    private final ProviderId id;
    private final ServerDriver driver;
    private final Duration pace;
    private final Consumer<SiteEngine.Happening> told;
    private final InstantSource clock;
    private final Thread thread;
    private final Semaphore wanted = new Semaphore(0);
    private volatile boolean closed;

    Poller(ProviderId id, ServerDriver driver, Duration pace, Consumer<SiteEngine.Happening> told, InstantSource clock) {
        this.id = id;
        this.driver = driver;
        this.pace = pace;
        this.told = told;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("engine reads " + id).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    ServerDriver driver() {
        return driver;
    }

    /** Asks it as soon as the question that may be under way is answered. */
    void readNow() {
        wanted.release();
    }

    private void run() {
        try {
            while (!closed) {
                wanted.drainPermits();
                readOnce();
                if (wanted.tryAcquire(pace.toNanos(), TimeUnit.NANOSECONDS)) {
                    LOG.debug("{} is asked out of turn", id);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} is asked no more", id);
        }
    }

    private void readOnce() throws InterruptedException {
        Instant began = clock.instant();
        try {
            ServerDriver.State state = driver.read();
            told.accept((core, now) -> core.read(id, state, began, now));
        } catch (TroubleException e) {
            told.accept((core, now) -> core.missed(id, e.trouble(), now));
        } catch (RuntimeException e) {
            LOG.error("reading {} failed in an unforeseen way", id, e);
            told.accept((core, now) -> core.missed(id, SiteEngine.unforeseen(id.text()), now));
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        driver.close();
    }
}
