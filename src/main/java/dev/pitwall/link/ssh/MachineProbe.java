package dev.pitwall.link.ssh;

import dev.pitwall.card.MachineReport;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Probe;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.ShellAccess;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Reads one machine over SSH. The session stays between reads. */
public final class MachineProbe implements Probe<MachineReport> {
    private final ShellAccess access;
    private final KeptSession kept;
    private final Duration commandLimit;
    private final Words words;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * @param engine      may be shared with other machines; it has the same limits
     * @param secrets     asked for password or passphrase at login only
     * @param agentSocket value of {@code SSH_AUTH_SOCK}
     * @param limits      the second is for the login and for each command
     */
    public MachineProbe(SshEngine engine, ShellAccess access, Secrets secrets, KnownHosts knownHosts,
                        Optional<Path> agentSocket, Limits limits, NetworkTrouble troubles) {
        this(access, new SshConnector(engine, knownHosts, ShellSecrets.stored(secrets), agentSocket, limits, troubles),
                limits.answer(), troubles.words());
    }

    /** @param commandLimit for each command */
    MachineProbe(ShellAccess access, SshConnector connector, Duration commandLimit, Words words) {
        this.access = access;
        this.kept = new KeptSession(access, connector);
        this.commandLimit = commandLimit;
        this.words = words;
    }

    @Override
    public MachineReport read() throws TroubleException, InterruptedException {
        lock.lockInterruptibly();
        try {
            SshSession session = kept.get();
            try {
                return ask(session);
            } catch (TroubleException e) {
                kept.drop(session);
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    private MachineReport ask(SshSession session) throws TroubleException, InterruptedException {
        MachineReport report = new MachineQuestions(new MachineCommands(session, commandLimit)).ask();
        if (report.hostname().isEmpty()) {
            throw words.failure(Kind.PROTOCOL, SshConnector.place(access), "ssh.noshell");
        }
        return report;
    }

    @Override
    public void close() {
        kept.close();
    }
}
