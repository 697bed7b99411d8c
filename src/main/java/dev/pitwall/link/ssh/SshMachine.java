package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.ShellAccess;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The shell of one machine over SSH. Nothing is contacted before the first call. */
public final class SshMachine implements Machine {
    /** sshd allows ten channels of one session by default (MaxSessions); some are left for others. */
    private static final int AT_ONCE = 6;
    private static final Duration FILE_LIMIT = Duration.ofMinutes(1);

    private final ShellAccess access;
    private final Place place;
    private final KeptSession kept;
    private final Limits limits;
    private final SshTrouble troubles;
    private final Words words;
    private final Semaphore channels = new Semaphore(AT_ONCE);
    private final ReentrantLock writing = new ReentrantLock();
    private volatile Optional<SshSession> ofRoot = Optional.empty();
    private volatile Optional<SshSession> withoutSftp = Optional.empty();

    /**
     * @param engine      may be shared with other machines
     * @param secrets     asked for password or passphrase at login only
     * @param agentSocket value of {@code SSH_AUTH_SOCK}
     * @param limits      the second is for the login and for each step of a file's reading or writing
     */
    public SshMachine(SshEngine engine, ShellAccess access, Secrets secrets, KnownHosts knownHosts,
                      Optional<Path> agentSocket, Limits limits, NetworkTrouble troubles) {
        this.access = access;
        this.place = SshConnector.place(access);
        this.kept = new KeptSession(access, new SshConnector(engine, knownHosts, ShellSecrets.stored(secrets),
                agentSocket, limits, troubles));
        this.limits = limits;
        this.troubles = new SshTrouble(troubles);
        this.words = troubles.words();
    }

    @Override
    public String name() {
        return access.name();
    }

    @FunctionalInterface
    private interface Talk<T> {
        T with(SshSession session) throws TroubleException, InterruptedException;
    }

    /** A session that a call finds broken is dropped, so that the next call makes another. */
    private <T> T talk(Talk<T> talk) throws TroubleException, InterruptedException {
        channels.acquire();
        try {
            SshSession session = kept.get();
            try {
                return talk.with(session);
            } catch (TroubleException e) {
                if (e.trouble().kind() == Kind.CONNECT || !session.open()) {
                    kept.drop(session);
                }
                throw e;
            }
        } finally {
            channels.release();
        }
    }

    @Override
    public Ran run(List<String> arguments, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        return talk(session -> {
            Instant start = Instant.now();
            CommandResult result = session.run(new RemoteCommand(arguments, limit), lines);
            return new Ran(result.exit(), result.output(), result.errors(), Duration.between(start, Instant.now()));
        });
    }

    @Override
    public Content read(String path) throws TroubleException, InterruptedException {
        return talk(session -> file(session, path, Deed.READ, RemoteFile::read));
    }

    /** One file after the other: a write may need a second channel for what SFTP does not offer. */
    @Override
    public void write(String path, Content content, String copyBefore) throws TroubleException, InterruptedException {
        writing.lockInterruptibly();
        try {
            talk(session -> {
                requireRoot(session);
                return file(session, path, Deed.WRITE, file -> {
                    file.write(content, copyBefore);
                    return path;
                });
            });
        } finally {
            writing.unlock();
        }
    }

    @FunctionalInterface
    private interface Handling<T> {
        T of(RemoteFile file) throws IOException, TroubleException, InterruptedException;
    }

    /** What is done to a file, with the keys of the sentences about what goes wrong. */
    private enum Deed {
        READ("ssh.read.denied", "ssh.read.failed"), WRITE("ssh.write.denied", "ssh.write.failed");

        private final String denied;
        private final String failed;

        Deed(String denied, String failed) {
            this.denied = denied;
            this.failed = failed;
        }
    }

    private <T> T file(SshSession session, String path, Deed deed, Handling<T> handling)
            throws TroubleException, InterruptedException {
        try {
            return TimeBox.within(FILE_LIMIT, () -> {
                try (RemoteFiles files = files(session)) {
                    return handling.of(new RemoteFile(files, path));
                }
            });
        } catch (IOException e) {
            throw failure(e, path, deed);
        } catch (TimeoutException e) {
            throw words.failure(Kind.TIMEOUT, place, "ssh.file.slow", "path", path,
                    "seconds", Long.toString(FILE_LIMIT.toSeconds()));
        }
    }

    private void requireRoot(SshSession session) throws TroubleException, InterruptedException {
        if (ofRoot.filter(s -> s == session).isPresent()) {
            return;
        }
        String uid = session.run(RemoteCommand.of(limits.answer(), "id", "-u")).output().strip();
        if (!uid.equals("0")) {
            throw words.failure(Kind.RIGHTS, place, "ssh.notroot", "user", access.user());
        }
        ofRoot = Optional.of(session);
    }

    /** SFTP, or the shell's own commands where the machine's sshd has none. */
    private RemoteFiles files(SshSession session) throws IOException {
        ShellFiles shell = new ShellFiles(session, limits.answer());
        if (withoutSftp.filter(s -> s == session).isPresent()) {
            return shell;
        }
        try {
            return new SftpFiles(session.sftp(), shell);
        } catch (IOException e) {
            if (!session.open()) {
                throw e;
            }
            withoutSftp = Optional.of(session);
            return shell;
        }
    }

    private TroubleException failure(IOException e, String path, Deed deed) {
        return switch (e) {
            case RemoteFiles.Refused refused when refused.why() == RemoteFiles.Refused.Why.NOT_ALLOWED ->
                    words.failure(Kind.RIGHTS, place, deed.denied, "path", path, "user", access.user());
            case RemoteFiles.Refused refused ->
                    words.failure(Kind.REMOTE, place, deed.failed, "path", path, "said", refused.getMessage());
            default -> troubles.failure(e, place, limits.answer());
        };
    }

    @Override
    public void close() {
        kept.close();
    }
}
