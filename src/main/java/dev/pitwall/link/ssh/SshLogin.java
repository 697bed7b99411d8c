package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ShellAccess;
import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.client.auth.keyboard.UserAuthKeyboardInteractiveFactory;
import org.apache.sshd.client.auth.keyboard.UserInteraction;
import org.apache.sshd.client.auth.password.PasswordAuthenticationReporter;
import org.apache.sshd.client.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.security.SecurityUtils;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Gives a session what its login needs: one method, one secret, one try. */
final class SshLogin {
    private final ShellSecrets secrets;
    private final Optional<Path> agentSocket;
    private final Words words;

    /** @param agentSocket value of {@code SSH_AUTH_SOCK} */
    SshLogin(ShellSecrets secrets, Optional<Path> agentSocket, Words words) {
        this.secrets = secrets;
        this.agentSocket = agentSocket;
        this.words = words;
    }

    /** Must be called after the host key was accepted: it is what makes secrets leave this machine. */
    void prepare(ClientSession session, ShellAccess access, Place place) throws TroubleException {
        switch (access.login()) {
            case ShellAccess.KeyFile key -> keyFile(session, key, access, place);
            case ShellAccess.Agent agent -> agent(session, place);
            case ShellAccess.Password password -> password(session, access, place);
        }
    }

    /** The machine said no. */
    TroubleException refused(ShellAccess access, Place place) {
        return switch (access.login()) {
            case ShellAccess.KeyFile key -> words.failure(Kind.CREDENTIALS, place, "ssh.refused.key",
                    "user", access.user(), "file", key.file().toString());
            case ShellAccess.Agent agent -> words.failure(Kind.CREDENTIALS, place, "ssh.refused.agent",
                    "user", access.user());
            case ShellAccess.Password password -> words.failure(Kind.CREDENTIALS, place, "ssh.refused.password",
                    "user", access.user());
        };
    }

    private void keyFile(ClientSession session, ShellAccess.KeyFile key, ShellAccess access, Place place)
            throws TroubleException {
        Optional<String> passphrase = secrets.of(access);
        AtomicBoolean asked = new AtomicBoolean();
        FilePasswordProvider provider = (context, resource, attempt) -> {
            asked.set(true);
            return passphrase.orElse(null);
        };
        String file = key.file().toString();
        try (InputStream in = Files.newInputStream(key.file())) {
            Iterable<KeyPair> pairs = SecurityUtils.loadKeyPairIdentities(null, NamedResource.ofName(file), in, provider);
            if (pairs == null || !pairs.iterator().hasNext()) {
                throw words.failure(Kind.UNREADABLE, place, "ssh.badkey", "file", file);
            }
            session.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
            pairs.forEach(session::addPublicKeyIdentity);
        } catch (FileSystemException e) {
            throw words.failure(Kind.MISSING, place, "ssh.nokeyfile", "file", file);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw unreadable(asked.get(), passphrase.isPresent(), file, place);
        }
    }

    private TroubleException unreadable(boolean encrypted, boolean hadPassphrase, String file, Place place) {
        if (!encrypted) {
            return words.failure(Kind.UNREADABLE, place, "ssh.badkey", "file", file);
        }
        return words.failure(Kind.CREDENTIALS, place, hadPassphrase ? "ssh.wrongpassphrase" : "ssh.passphrase",
                "file", file);
    }

    private void agent(ClientSession session, Place place) throws TroubleException {
        Path socket = agentSocket.orElseThrow(() -> words.failure(Kind.MISSING, place, "ssh.noagent"));
        try (SshAgent agent = AgentSocket.open(socket)) {
            if (!agent.getIdentities().iterator().hasNext()) {
                throw words.failure(Kind.CREDENTIALS, place, "ssh.emptyagent");
            }
        } catch (IOException e) {
            throw words.failure(Kind.MISSING, place, "ssh.noagent");
        }
        session.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
        session.setAttribute(Agents.SOCKET, socket);
    }

    /** Keyboard-interactive is answered only where the server takes no plain password, so that one goes out once. */
    private void password(ClientSession session, ShellAccess access, Place place) throws TroubleException {
        String password = secrets.of(access).orElseThrow(() -> words.failure(Kind.CREDENTIALS, place, "ssh.nosecret",
                "user", access.user()));
        AtomicBoolean sent = new AtomicBoolean();
        session.setUserAuthFactories(List.of(UserAuthPasswordFactory.INSTANCE,
                UserAuthKeyboardInteractiveFactory.INSTANCE));
        session.addPasswordIdentity(password);
        // The library would answer prompts with the same password by itself, a second time.
        session.getProperties().put(UserInteraction.AUTO_DETECT_PASSWORD_PROMPT, false);
        session.setPasswordAuthenticationReporter(new PasswordAuthenticationReporter() {
            @Override
            public void signalAuthenticationAttempt(ClientSession s, String service, String old, boolean modified,
                                                    String updated) {
                sent.set(true);
            }
        });
        session.setUserInteraction(new PasswordPrompt(password, sent));
    }

    /** Answers a single hidden prompt, as PAM asks for a password, once. */
    private record PasswordPrompt(String password, AtomicBoolean sent) implements UserInteraction {
        private static final String[] NO_ANSWER = {};

        @Override
        public boolean isInteractionAllowed(ClientSession session) {
            return true;
        }

        @Override
        public String[] interactive(ClientSession session, String name, String instruction, String lang,
                                    String[] prompts, boolean[] echo) {
            if (prompts.length != 1 || echo[0]) {
                return NO_ANSWER;
            }
            return sent.compareAndSet(false, true) ? new String[] {password} : null;
        }

        @Override
        public String getUpdatedPassword(ClientSession session, String prompt, String lang) {
            return null;
        }

        @Override
        public String toString() {
            return "PasswordPrompt";
        }
    }
}
