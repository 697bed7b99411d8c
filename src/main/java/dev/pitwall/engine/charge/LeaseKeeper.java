package dev.pitwall.engine.charge;

import dev.pitwall.card.TroubleException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks who has the Lease, on a thread of its own. Once it is claimed, takes it where it can be had and keeps it; gives it back
 * when it is closed.
 */
public final class LeaseKeeper implements Charge {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final Duration END = Duration.ofSeconds(5);

    private final Leases leases;
    private final Supplier<String> name;
    private final Terms terms;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread thread;
    /** Guarded by the lock; empty until the thread has begun. */
    private Optional<Candidate> candidate = Optional.empty();
    private final Semaphore claimed = new Semaphore(0);
    private volatile boolean claims;
    private volatile boolean closed;

    /** @param name of this engine, that no other has; asked for on the keeper's thread */
    public LeaseKeeper(Leases leases, Supplier<String> name, Terms terms, InstantSource clock) {
        this.leases = leases;
        this.name = name;
        this.terms = terms;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("engine lease").unstarted(this::run);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void claim() {
        if (!claims) {
            claims = true;
            claimed.release();
        }
    }

    @Override
    public State state() {
        lock.lock();
        try {
            return candidate.map(c -> c.state(clock.instant())).orElseGet(State.Looking::new);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        Candidate mine = new Candidate(name.get(), terms);
        lock.lock();
        try {
            candidate = Optional.of(mine);
        } finally {
            lock.unlock();
        }
        try {
            while (!closed) {
                step(mine);
                if (claimed.tryAcquire(terms.retry().toNanos(), TimeUnit.NANOSECONDS)) {
                    LOG.debug("the lease is wanted from now on");
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the lease is kept no more");
        }
    }

    private void step(Candidate mine) throws InterruptedException {
        try {
            Optional<Lease> read = leases.read();
            Optional<Lease> wanted = with(() -> {
                if (claims) {
                    mine.claim();
                }
                return mine.wants(read, clock.instant());
            });
            if (wanted.isPresent()) {
                Instant began = clock.instant();
                Optional<Lease> written = leases.write(wanted.get());
                with(() -> {
                    mine.wrote(written, began, clock.instant());
                    return written;
                });
            }
        } catch (TroubleException e) {
            LOG.debug("the lease could not be asked for: {}", e.trouble().sentence());
            with(() -> {
                mine.missed(e.trouble());
                return Optional.empty();
            });
        }
    }

    private <T> T with(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Not decided any more from here on, whether or not the cluster hears of it. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(END);
            }
            Optional<Lease> last = with(() -> candidate.flatMap(c -> c.givesBack(clock.instant())));
            if (last.isPresent()) {
                leases.write(last.get());
            }
        } catch (TroubleException e) {
            LOG.info("The lease was not given back; others take it when it is over: {}", e.trouble().sentence());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
