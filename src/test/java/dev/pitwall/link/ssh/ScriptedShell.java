package dev.pitwall.link.ssh;

import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.keyboard.DefaultKeyboardInteractiveAuthenticator;
import org.apache.sshd.server.auth.keyboard.UserAuthKeyboardInteractiveFactory;
import org.apache.sshd.server.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.server.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** An SSH server on loopback that answers command lines as a test says and counts logins. */
final class ScriptedShell implements AutoCloseable {
    static final String USER = "root";
    static final String PASSWORD = "s3cret 'quoted'";

    private final SshServer server = SshServer.setUpDefaultServer();
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final AtomicInteger passwords = new AtomicInteger();
    private final AtomicInteger keysOffered = new AtomicInteger();
    private final AtomicInteger commands = new AtomicInteger();
    private final KeyPair hostKey;
    private volatile Reply usual = new Reply(127, "", "sh: 1: not found\n");

    /** How a login may be made. */
    private enum Logins { KEYS_AND_PASSWORDS, PROMPTS_ONLY }

    /** @param before what has to happen before the command ends; one that never does leaves it hanging */
    private record Reply(int exit, String out, String err, CountDownLatch before, String last) {
        Reply(int exit, String out, String err) {
            this(exit, out, err, new CountDownLatch(0), "");
        }
    }

    private ScriptedShell(List<PublicKey> allowed, Logins logins) throws IOException {
        this.hostKey = newKey();
        server.setHost("127.0.0.1");
        server.setKeyPairProvider(KeyPairProvider.wrap(hostKey));
        server.setPasswordAuthenticator((user, password, session) -> {
            passwords.incrementAndGet();
            return user.equals(USER) && password.equals(PASSWORD);
        });
        server.setPublickeyAuthenticator((user, key, session) -> {
            keysOffered.incrementAndGet();
            return allowed.stream().anyMatch(k -> KeyUtils.compareKeys(k, key));
        });
        server.setKeyboardInteractiveAuthenticator(DefaultKeyboardInteractiveAuthenticator.INSTANCE);
        server.setUserAuthFactories(switch (logins) {
            case PROMPTS_ONLY -> List.of(UserAuthKeyboardInteractiveFactory.INSTANCE);
            case KEYS_AND_PASSWORDS -> List.of(UserAuthPublicKeyFactory.INSTANCE, UserAuthPasswordFactory.INSTANCE);
        });
        server.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
        server.setCommandFactory((channel, line) -> new Scripted(line));
        server.start();
        says("uname -nr", "pve1 6.8.12-15-pve\n");
    }

    static ScriptedShell start(PublicKey... allowed) throws IOException {
        return new ScriptedShell(List.of(allowed), Logins.KEYS_AND_PASSWORDS);
    }

    static ScriptedShell startWithPromptsOnly() throws IOException {
        return new ScriptedShell(List.of(), Logins.PROMPTS_ONLY);
    }

    static KeyPair newKey() {
        try {
            return KeyUtils.generateKeyPair("ecdsa-sha2-nistp256", 256);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    ScriptedShell says(String line, String out) {
        replies.put(line, new Reply(0, out, ""));
        return this;
    }

    ScriptedShell fails(String line, int exit, String out, String err) {
        replies.put(line, new Reply(exit, out, err));
        return this;
    }

    ScriptedShell hangs(String line) {
        replies.put(line, new Reply(0, "", "", new CountDownLatch(1), ""));
        return this;
    }

    /** Takes every command and does none. */
    ScriptedShell hangsOnAll() {
        replies.clear();
        usual = new Reply(0, "", "", new CountDownLatch(1), "");
        return this;
    }

    /** Says one thing at once and the other only when the first has been heard. */
    ScriptedShell says(String line, String first, CountDownLatch heard, String last) {
        replies.put(line, new Reply(0, first, "", heard, last));
        return this;
    }

    int port() {
        return server.getPort();
    }

    String fingerprint() {
        return KeyUtils.getFingerPrint(hostKey.getPublic());
    }

    PublicKey hostKey() {
        return hostKey.getPublic();
    }

    int passwordsSeen() {
        return passwords.get();
    }

    int keysSeen() {
        return keysOffered.get();
    }

    /** Commands that it was given. */
    int asked() {
        return commands.get();
    }

    int sessions() {
        return server.getActiveSessions().size();
    }

    void dropSessions() {
        server.getActiveSessions().forEach(session -> session.close(true));
    }

    @Override
    public void close() {
        try {
            server.stop(true);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Scripted implements Command {
        private final String line;
        private OutputStream out;
        private OutputStream err;
        private ExitCallback exit;

        Scripted(String line) {
            this.line = line;
        }

        @Override
        public void start(ChannelSession channel, Environment environment) {
            commands.incrementAndGet();
            Reply reply = replies.getOrDefault(line, usual);
            Thread.ofVirtual().start(() -> answer(reply));
        }

        private void answer(Reply reply) {
            try {
                out.write(reply.out().getBytes(StandardCharsets.UTF_8));
                out.flush();
                err.write(reply.err().getBytes(StandardCharsets.UTF_8));
                err.flush();
                reply.before().await();
                out.write(reply.last().getBytes(StandardCharsets.UTF_8));
                out.flush();
                exit.onExit(reply.exit());
            } catch (IOException e) {
                exit.onExit(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void destroy(ChannelSession channel) {
        }

        @Override
        public void setInputStream(InputStream in) {
        }

        @Override
        public void setOutputStream(OutputStream stream) {
            out = stream;
        }

        @Override
        public void setErrorStream(OutputStream stream) {
            err = stream;
        }

        @Override
        public void setExitCallback(ExitCallback callback) {
            exit = callback;
        }
    }
}
