package dev.pitwall.link.ssh;

import dev.pitwall.link.http.Limits;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.kex.KeyExchangeFactory;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.core.CoreModuleProperties;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The SSH library's client with its threads. Many machines share one, since each client has six threads; it starts with
 * the first connector that needs it and ends with the last.
 */
public final class SshEngine {
    /** The check of the machine that a session is made to, which must be in place before the key exchange begins. */
    private static final AttributeKey<HostKeyCheck> CHECK = new AttributeKey<>();
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final int WORKERS = 3;

    private final Limits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<SshConnector> users = new HashSet<>();
    private Optional<SshClient> running = Optional.empty();

    /** @param limits both together are the longest that a login may take */
    public SshEngine(Limits limits) {
        this.limits = limits;
    }

    /** What a connection is made with so that its host key is judged by this check. */
    static AttributeRepository checkedBy(HostKeyCheck check) {
        return AttributeRepository.ofKeyValuePair(CHECK, check);
    }

    /** A client that runs until this user has released it. */
    SshClient clientFor(SshConnector user) {
        lock.lock();
        try {
            users.add(user);
            if (running.isEmpty()) {
                SshClient client = client();
                client.start();
                running = Optional.of(client);
            }
            return running.get();
        } finally {
            lock.unlock();
        }
    }

    void release(SshConnector user) {
        lock.lock();
        try {
            if (users.remove(user) && users.isEmpty()) {
                running.ifPresent(SshClient::stop);
                running = Optional.empty();
            }
        } finally {
            lock.unlock();
        }
    }

    private SshClient client() {
        SshClient client = SshClient.setUpDefaultClient();
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        client.setAgentFactory(new Agents());
        client.setServerKeyVerifier((session, address, key) -> check(session)
                .map(check -> check.verifyServerKey(session, address, key)).orElse(false));
        client.setKeyExchangeFactories(quickFirst(client.getKeyExchangeFactories()));
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
        CoreModuleProperties.NIO_WORKERS.set(client, WORKERS);
        CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, KEEP_ALIVE);
        CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, 3);
        CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.NIO2_READ_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.AUTH_TIMEOUT.set(client, limits.answer().plus(limits.connect()));
        CoreModuleProperties.PASSWORD_PROMPTS.set(client, 1);
        return client;
    }

    /**
     * The order of OpenSSH 10: ML-KEM before NTRU Prime, both safe against quantum computers. The library has NTRU
     * Prime first, whose key takes a hundred milliseconds of processor time to make in Java.
     */
    private static List<KeyExchangeFactory> quickFirst(List<KeyExchangeFactory> factories) {
        return factories.stream().sorted(Comparator.comparingInt(f -> f.getName().startsWith("mlkem768x25519") ? 0 : 1))
                .toList();
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
}
