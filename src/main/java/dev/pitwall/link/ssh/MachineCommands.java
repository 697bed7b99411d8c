package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;

/**
 * Runs the reading commands of one session. A command that is not there, is not allowed or hangs leaves its reading
 * empty; only the end of the session is a failure, and a machine that does nothing at all any more.
 */
final class MachineCommands {
    /** sshd allows ten channels of one session by default (MaxSessions); some are left for others. */
    private static final int AT_ONCE = 6;

    private final SshSession session;
    private final Duration limit;
    private final Semaphore channels = new Semaphore(AT_ONCE);

    /** @param limit for each command */
    MachineCommands(SshSession session, Duration limit) {
        this.session = session;
        this.limit = limit;
    }

    /** The whole result. A command that did not end in time has no exit status and says so on its standard error. */
    CommandResult run(String... arguments) throws TroubleException, InterruptedException {
        channels.acquire();
        try {
            return session.run(RemoteCommand.of(limit, arguments));
        } catch (TroubleException e) {
            if (e.trouble().kind() == Kind.TIMEOUT && answers()) {
                return new CommandResult(OptionalInt.empty(), "", e.trouble().what(), false);
            }
            throw e;
        } finally {
            channels.release();
        }
    }

    /**
     * Whether the machine does anything that it is asked for. On one that has lost its power or its network every command
     * waits in vain; the session is ended then, so that not each of them does so for its whole time.
     */
    private boolean answers() throws InterruptedException {
        try {
            session.run(RemoteCommand.of(limit, "true"));
            return true;
        } catch (TroubleException e) {
            session.close();
            return false;
        }
    }

    /** Standard output, also of a command that found only a part of what it was asked for. */
    String output(String... arguments) throws TroubleException, InterruptedException {
        return run(arguments).output();
    }

    /** Standard output of a command that went well and said something. */
    Optional<String> answer(String... arguments) throws TroubleException, InterruptedException {
        CommandResult result = run(arguments);
        return Optional.of(result.output()).filter(text -> result.ok() && !text.isBlank());
    }
}
