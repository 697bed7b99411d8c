package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.site.ShellAccess;
import org.apache.sshd.client.channel.ChannelDirectTcpip;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.future.AuthFuture;
import org.apache.sshd.client.future.OpenFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.client.session.ClientSession.ClientSessionEvent;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClientFactory;
import org.apache.sshd.sftp.client.SftpVersionSelector;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A connection to one machine: first trusted, then signed in, then it runs commands. */
final class SshSession implements AutoCloseable {
    /** Of each of a command's two streams; a full {@code nvidia-smi -q -x} of eight cards has about 400 KiB. */
    static final int MAX_OUTPUT_BYTES = 4 << 20;

    /** On a session: the first line the other side sent. */
    static final AttributeKey<String> GREETING = new AttributeKey<>();

    private final ShellAccess access;
    private final Place place;
    private final ClientSession session;
    private final HostKeyCheck check;
    private final SshLogin login;
    private final Limits limits;
    private final NetworkTrouble troubles;
    private final SshTrouble sshTroubles;
    private final AutoCloseable through;

    /** @param through what the connection runs through and closes with it */
    SshSession(ShellAccess access, Place place, ClientSession session, HostKeyCheck check, SshLogin login,
               Limits limits, NetworkTrouble troubles, SshTrouble sshTroubles, AutoCloseable through) {
        this.access = access;
        this.place = place;
        this.session = session;
        this.check = check;
        this.login = login;
        this.limits = limits;
        this.troubles = troubles;
        this.sshTroubles = sshTroubles;
        this.through = through;
    }

    ClientSession session() {
        return session;
    }

    Place place() {
        return place;
    }

    boolean open() {
        return session.isOpen();
    }

    /** Waits until the machine has shown its host key and proved that it holds it. */
    void exchangeKeys() throws TroubleException, InterruptedException {
        CompletableFuture<Boolean> exchanged = new CompletableFuture<>();
        session.addSessionListener(new SessionListener() {
            @Override
            public void sessionEvent(Session s, Event event) {
                if (event == Event.KeyEstablished) {
                    exchanged.complete(true);
                }
            }

            @Override
            public void sessionException(Session s, Throwable t) {
                exchanged.completeExceptionally(t);
            }

            @Override
            public void sessionClosed(Session s) {
                exchanged.completeExceptionally(new EOFException("closed"));
            }
        });
        if (session.getSessionState().contains(ClientSessionEvent.WAIT_AUTH)) {
            exchanged.complete(true);
        } else if (!session.isOpen()) {
            exchanged.completeExceptionally(new EOFException("closed"));
        }
        try {
            exchanged.get(limits.answer().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw closing(untrusted(e.getCause() instanceof Exception cause ? cause : e));
        } catch (TimeoutException e) {
            throw closing(untrusted(e));
        } catch (InterruptedException e) {
            close();
            throw e;
        }
    }

    private TroubleException untrusted(Exception cause) {
        String greeting = session.getAttribute(GREETING);
        if (greeting != null && !greeting.startsWith("SSH-") && session.getServerVersion() == null) {
            return Greeting.foreign(greeting, place, troubles.words());
        }
        return check.refusal().map(trouble -> new TroubleException(trouble, cause))
                .orElseGet(() -> sshTroubles.failure(cause, place, limits.answer()));
    }

    private TroubleException closing(TroubleException trouble) {
        close();
        return trouble;
    }

    /** Signs in, once. */
    void login() throws TroubleException, InterruptedException {
        try {
            login.prepare(session, access, place);
            AuthFuture signingIn = session.auth();
            Waiting.on(signingIn, limits.answer());
            if (signingIn.isSuccess()) {
                return;
            }
            boolean hungUp = !(signingIn.getException() instanceof SshException)
                    && signingIn.getException() != null;
            throw hungUp ? failure(new IOException(signingIn.getException())) : login.refused(access, place);
        } catch (IOException e) {
            throw closing(failure(e));
        } catch (TroubleException e) {
            throw closing(e);
        } catch (InterruptedException e) {
            close();
            throw e;
        }
    }

    private TroubleException failure(IOException e) {
        return sshTroubles.failure(e, place, limits.answer());
    }

    /**
     * Runs a command without a terminal and without input, and waits for its end.
     *
     * @throws TroubleException if it could not be run or did not end in time; an exit status is no trouble
     */
    CommandResult run(RemoteCommand command) throws TroubleException, InterruptedException {
        return run(command, line -> { });
    }

    /** @param lines gets each line of either stream as it comes, from a thread of the library */
    CommandResult run(RemoteCommand command, Consumer<String> lines) throws TroubleException, InterruptedException {
        CappedOutput output = new CappedOutput(MAX_OUTPUT_BYTES);
        CappedOutput errors = new CappedOutput(MAX_OUTPUT_BYTES);
        OptionalInt exit;
        try (LineOutput out = new LineOutput(output, lines); LineOutput err = new LineOutput(errors, lines)) {
            exit = exec(command, Optional.empty(), out, err);
        }
        return new CommandResult(exit, output.text(), errors.text(), output.cut() || errors.cut());
    }

    /**
     * Runs a command without a terminal and waits for its end.
     *
     * @param in what it reads; the library starts a thread for it
     * @return its exit status; empty if a signal ended it or the server did not say
     */
    OptionalInt exec(RemoteCommand command, Optional<InputStream> in, OutputStream out, OutputStream err)
            throws TroubleException, InterruptedException {
        try (ChannelExec channel = session.createExecChannel(command.line())) {
            in.ifPresent(channel::setIn);
            channel.setOut(out);
            channel.setErr(err);
            open(channel);
            CountDownLatch ended = new CountDownLatch(1);
            channel.addCloseFutureListener(f -> ended.countDown());
            if (!ended.await(command.limit().toMillis(), TimeUnit.MILLISECONDS)) {
                channel.close(true);
                throw troubles.words().failure(Kind.TIMEOUT, place, "ssh.command", "command", command.line(),
                        "seconds", Long.toString(command.limit().toSeconds()));
            }
            if (channel.getExitStatus() == null && channel.getExitSignal() == null && !session.isOpen()) {
                throw new EOFException("the session ended under the command");
            }
            return channel.getExitStatus() == null ? OptionalInt.empty() : OptionalInt.of(channel.getExitStatus());
        } catch (IOException | IllegalStateException e) {
            throw sshTroubles.failure(e, place, limits.answer());
        }
    }

    private void open(ChannelExec channel) throws IOException, InterruptedException {
        OpenFuture opening = channel.open();
        try {
            Waiting.on(opening, limits.answer());
        } catch (InterruptedIOException e) {
            // The library would take leave of the silent machine and wait again.
            channel.close(true);
            throw e;
        }
        opening.verify(1);
    }

    /** Opens the file transfer of this machine, in the version that OpenSSH speaks. */
    SftpClient sftp() throws IOException {
        return SftpClientFactory.instance().createSftpClient(session, SftpVersionSelector.fixedVersionSelector(3));
    }

    /** Opens and closes a channel through this machine to another one. */
    void tryChannel(SshdSocketAddress target) throws IOException, InterruptedException {
        try (ChannelDirectTcpip channel = session.createDirectTcpipChannel(null, target)) {
            OpenFuture opening = channel.open();
            Waiting.on(opening, limits.connect());
            opening.verify(1);
        } catch (InterruptedIOException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        session.close(true);
        try {
            through.close();
        } catch (Exception e) {
            throw new IllegalStateException("closing a session throws nothing", e);
        }
    }
}
