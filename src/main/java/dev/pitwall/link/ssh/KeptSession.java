package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.ShellAccess;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The signed-in session of one machine: made at first use, and made again after it was lost. Once a login was refused it
 * is not tried again by this object: repeated wrong logins get an address banned. Thread-safe.
 */
final class KeptSession implements AutoCloseable {
    private final ShellAccess access;
    private final SshConnector connector;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<SshSession> session = Optional.empty();
    private Optional<TroubleException> refusal = Optional.empty();

    KeptSession(ShellAccess access, SshConnector connector) {
        this.access = access;
        this.connector = connector;
    }

    SshSession get() throws TroubleException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (refusal.isPresent()) {
                throw refusal.get();
            }
            if (session.filter(SshSession::open).isEmpty()) {
                hangUp();
                SshSession fresh = connector.connect(access);
                session = Optional.of(fresh);
                fresh.login();
            }
            return session.orElseThrow();
        } catch (TroubleException e) {
            hangUp();
            if (e.trouble().kind() == Kind.CREDENTIALS) {
                refusal = Optional.of(e);
            }
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a session that has failed, unless another one is in its place already. */
    void drop(SshSession failed) {
        lock.lock();
        try {
            if (session.filter(s -> s == failed).isPresent()) {
                hangUp();
            }
        } finally {
            lock.unlock();
        }
    }

    private void hangUp() {
        session.ifPresent(SshSession::close);
        session = Optional.empty();
    }

    /** Ends the session, and its connector with all that runs over it. */
    @Override
    public void close() {
        connector.close();
    }
}
