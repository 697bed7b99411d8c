package dev.pitwall.site;

import dev.pitwall.card.Observed;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks one probe again and again on a virtual thread of its own: at its interval while it answers, with growing pauses
 * up to 30 s while it does not. When a person wants it read again while it fails, it gets a new probe: one that was
 * refused a sign-in never tries again by itself, and a secret may have been changed since.
 */
final class ProbeLoop<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProbeLoop.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Connection.Kind kind;
    private final Supplier<Probe<T>> probes;
    private final Duration interval;
    private final InstantSource clock;
    private final Runnable dirty;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;

    private Probe<T> probe;
    private volatile Observed<T> current;
    private volatile Optional<Instant> nextTry = Optional.empty();
    private volatile boolean anew;
    private volatile boolean closed;

    /** @param probes makes the connection, and makes it anew; contacts nobody itself */
    ProbeLoop(Connection.Kind kind, String name, Supplier<Probe<T>> probes, Duration interval, InstantSource clock,
              Runnable dirty) {
        this.kind = kind;
        this.probes = probes;
        this.probe = probes.get();
        this.interval = interval;
        this.clock = clock;
        this.dirty = dirty;
        this.current = Observed.reading(name);
        this.thread = Thread.ofVirtual().name("read " + kind + " " + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    Observed<T> current() {
        return current;
    }

    Connection connection() {
        return Connection.of(kind, current, nextTry, interval);
    }

    /** Begins with what an earlier run read. Only before {@link #start()}. */
    void recall(LastGood.Answer<T> kept) {
        current = Observed.kept(current.system(), kept.report(), kept.at());
    }

    void readAgain() {
        anew = current.trouble().isPresent();
        wake.release();
    }

    private void run() {
        int failures = 0;
        while (!closed) {
            if (anew) {
                renew();
            }
            failures = readOnce() ? 0 : failures + 1;
            if (closed) {
                return;
            }
            Duration pause = failures == 0 ? interval : pauseAfter(failures);
            nextTry = Optional.of(clock.instant().plus(pause));
            dirty.run();
            if (!awaitNextTurn(pause)) {
                return;
            }
        }
    }

    private synchronized void renew() {
        anew = false;
        if (!closed) {
            probe.close();
            probe = probes.get();
        }
    }

    private synchronized Probe<T> probe() {
        return probe;
    }

    private boolean readOnce() {
        try {
            T value = probe().read();
            current = current.read(value, clock.instant());
            return true;
        } catch (TroubleException e) {
            failed(e.trouble(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("reading {} failed in an unforeseen way", current.system(), e);
            failed(new Trouble(Trouble.Kind.UNREADABLE, current.system(), "its answer could not be understood",
                    "Look into Pitwall's log for the details and report them."), e);
        }
        return false;
    }

    private void failed(Trouble trouble, Exception cause) {
        if (closed) {
            return;
        }
        if (current.trouble().isEmpty()) {
            LOG.warn("{}", trouble.sentence());
            LOG.debug("cause", cause);
        }
        current = current.failed(trouble, clock.instant());
    }

    private static Duration pauseAfter(int failures) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 4));
        return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }

    private boolean awaitNextTurn(Duration pause) {
        try {
            if (wake.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                wake.drainPermits();
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Ends the loop and its connection; returns when the thread is gone. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        thread.interrupt();
        probe().close();
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
