package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.site.ShellAccess;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.future.ConnectFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.util.net.SshdSocketAddress;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Opens SSH sessions for one machine and its jump hosts, and ends them all with {@link #close}.
 */
final class SshConnector implements AutoCloseable {
    private final KnownHosts knownHosts;
    private final SshLogin login;
    private final Limits limits;
    private final NetworkTrouble troubles;
    private final SshTrouble sshTroubles;
    private final SshEngine engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<ClientSession> sessions = new HashSet<>();
    private boolean closed;

    /** @param engine may serve many connectors; it is held from the first session until {@link #close} */
    SshConnector(SshEngine engine, KnownHosts knownHosts, ShellSecrets secrets, Optional<Path> agentSocket,
                 Limits limits, NetworkTrouble troubles) {
        this.engine = engine;
        this.knownHosts = knownHosts;
        this.login = new SshLogin(secrets, agentSocket, troubles.words());
        this.limits = limits;
        this.troubles = troubles;
        this.sshTroubles = new SshTrouble(troubles);
    }

    static Place place(ShellAccess access) {
        return new Place(Service.SSH, access.name(), access.host(), access.port());
    }

    /**
     * Connects, exchanges keys and checks the host key. Nothing of the login is sent yet.
     *
     * @throws TroubleException of kind TRUST if the machine is not the one it should be
     */
    SshSession connect(ShellAccess access) throws TroubleException, InterruptedException {
        if (access.jump().isEmpty()) {
            return connect(access, check(access));
        }
        SshSession jump = connect(access.jump().get());
        try {
            jump.login();
            return connectThrough(jump, access, check(access));
        } catch (TroubleException | InterruptedException | RuntimeException e) {
            jump.close();
            throw e;
        }
    }

    HostKeyCheck check(ShellAccess access) {
        return new HostKeyCheck(access.hostKey(), knownHosts.of(access.host(), access.port()), place(access),
                troubles.words());
    }

    /** Connects straight, whatever jump host the access names. */
    SshSession connect(ShellAccess access, HostKeyCheck check) throws TroubleException, InterruptedException {
        return connect(access, check, place(access).socketHost(), access.port(), () -> { });
    }

    /** Connects through a jump host that is signed in to; closing the session closes that one too. */
    SshSession connectThrough(SshSession jump, ShellAccess access, HostKeyCheck check)
            throws TroubleException, InterruptedException {
        return connect(access, check, "127.0.0.1", tunnel(jump, access), jump);
    }

    private SshSession connect(ShellAccess access, HostKeyCheck check, String host, int port, AutoCloseable through)
            throws TroubleException, InterruptedException {
        Place place = place(access);
        try {
            ConnectFuture connecting = client().connect(access.user(), host, port, SshEngine.checkedBy(check));
            Waiting.on(connecting, limits.connect());
            connecting.verify(1);
            SshSession session = new SshSession(access, place, kept(connecting.getSession()), check, login, limits,
                    troubles, sshTroubles, through);
            session.exchangeKeys();
            return session;
        } catch (InterruptedIOException e) {
            throw troubles.failure(new SocketTimeoutException("connect timed out"), place, limits.connect());
        } catch (IOException e) {
            throw sshTroubles.failure(e, place, limits.connect());
        }
    }

    /**
     * The way through a jump host: a port on loopback of this machine whose connections go on as direct-tcpip channels.
     * It is tried first, since a refusal would else look like a cut connection.
     */
    private int tunnel(SshSession jump, ShellAccess target) throws TroubleException, InterruptedException {
        SshdSocketAddress there = new SshdSocketAddress(place(target).socketHost(), target.port());
        try {
            jump.tryChannel(there);
            return jump.session().createLocalPortForwardingTracker(new SshdSocketAddress("127.0.0.1", 0), there)
                    .getBoundAddress().getPort();
        } catch (IOException e) {
            throw troubles.words().failure(Kind.CONNECT, place(target), "ssh.jump", "jump", jump.place().name());
        }
    }

    private SshClient client() throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new EOFException("closed");
            }
            return engine.clientFor(this);
        } finally {
            lock.unlock();
        }
    }

    /** Remembers the session until it ends; one that comes too late ends at once. */
    private ClientSession kept(ClientSession session) {
        lock.lock();
        try {
            sessions.removeIf(ClientSession::isClosed);
            sessions.add(session);
            if (closed) {
                session.close(true);
            }
            return session;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            sessions.forEach(session -> session.close(true));
            sessions.clear();
            engine.release(this);
        } finally {
            lock.unlock();
        }
    }
}
