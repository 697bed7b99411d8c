package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.site.ShellAccess;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.future.ConnectFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.apache.sshd.core.CoreModuleProperties;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Opens SSH sessions for one machine and its jump hosts. It owns the library's threads, which start with the first
 * session and end with {@link #close}.
 */
final class SshConnector implements AutoCloseable {
    /** The check of the machine that a session is made to, which must be in place before the key exchange begins. */
    private static final AttributeKey<HostKeyCheck> CHECK = new AttributeKey<>();
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private final KnownHosts knownHosts;
    private final SshLogin login;
    private final Limits limits;
    private final NetworkTrouble troubles;
    private final SshTrouble sshTroubles;
    private final SshClient client = SshClient.setUpDefaultClient();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    SshConnector(KnownHosts knownHosts, ShellSecrets secrets, Optional<Path> agentSocket, Limits limits,
                 NetworkTrouble troubles) {
        this.knownHosts = knownHosts;
        this.login = new SshLogin(secrets, agentSocket, troubles.words());
        this.limits = limits;
        this.troubles = troubles;
        this.sshTroubles = new SshTrouble(troubles);
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        client.setAgentFactory(new Agents());
        client.setServerKeyVerifier((session, address, key) -> check(session)
                .map(check -> check.verifyServerKey(session, address, key)).orElse(false));
        client.addSessionListener(new SessionListener() {
            @Override
            public void sessionCreated(Session session) {
                preferKnownKeys((ClientSession) session);
            }

            @Override
            public void sessionPeerIdentificationLine(Session session, String line, List<String> before) {
                if (before.isEmpty()) {
                    session.setAttribute(SshSession.GREETING, line);
                }
            }
        });
        CoreModuleProperties.NIO_WORKERS.set(client, 2);
        CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, KEEP_ALIVE);
        CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, 3);
        CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.NIO2_READ_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.AUTH_TIMEOUT.set(client, limits.answer().plus(limits.connect()));
        CoreModuleProperties.PASSWORD_PROMPTS.set(client, 1);
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
        start();
        Place place = place(access);
        try {
            ConnectFuture connecting = client.connect(access.user(), host, port,
                    AttributeRepository.ofKeyValuePair(CHECK, check));
            Waiting.on(connecting, limits.connect());
            connecting.verify(1);
            SshSession session = new SshSession(access, place, connecting.getSession(), check, login, limits,
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

    private void start() {
        lock.lock();
        try {
            if (!closed && !client.isStarted()) {
                client.start();
            }
        } finally {
            lock.unlock();
        }
    }

    private static Optional<HostKeyCheck> check(ClientSession session) {
        return Optional.ofNullable(session.getConnectionContext()).map(context -> context.getAttribute(CHECK));
    }

    /** A machine known by its RSA key is asked for that, else for the ED25519 key that people compare most easily. */
    private static void preferKnownKeys(ClientSession session) {
        List<String> known = check(session).map(HostKeyCheck::knownTypes).orElse(List.of());
        List<NamedFactory<Signature>> ordered = session.getSignatureFactories().stream()
                .sorted(Comparator.comparingInt(factory -> rank(factory.getName(), known))).toList();
        session.setSignatureFactories(ordered);
    }

    private static int rank(String signature, List<String> known) {
        String keyType = signature.startsWith("rsa-sha2") ? "ssh-rsa" : signature;
        return known.contains(keyType) ? 0 : keyType.equals("ssh-ed25519") ? 1 : 2;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            client.stop();
        } finally {
            lock.unlock();
        }
    }
}
