package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;

import java.io.EOFException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;

/** What a failure of the SSH library means; plain socket failures are left to {@link NetworkTrouble}. */
final class SshTrouble {
    private final NetworkTrouble troubles;

    SshTrouble(NetworkTrouble troubles) {
        this.troubles = troubles;
    }

    TroubleException failure(Exception thrown, Place place, Duration limit) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            switch (t) {
                case SshChannelOpenException refused -> {
                    return say(Kind.REMOTE, place, "ssh.channel", thrown);
                }
                case SshException e when notSsh(e) -> {
                    return say(Kind.PROTOCOL, place, "ssh.foreign", thrown);
                }
                case SshException e when text(e).contains("unable to negotiate") -> {
                    return say(Kind.PROTOCOL, place, "ssh.algorithms", thrown);
                }
                case TimeoutException late -> {
                    return troubles.failure(new InterruptedIOException("timeout"), place, limit);
                }
                default -> {
                }
            }
        }
        Exception root = thrown;
        while (root instanceof SshException && root.getCause() instanceof Exception cause) {
            root = cause;
        }
        return root instanceof SshException ssh ? bare(ssh, place, limit) : troubles.failure(root, place, limit);
    }

    private TroubleException bare(SshException e, Place place, Duration limit) {
        if (text(e).contains("timeout") || text(e).contains("timed out")) {
            return troubles.failure(new InterruptedIOException("timeout"), place, limit);
        }
        return troubles.failure(new EOFException(e.getMessage()), place, limit);
    }

    private static boolean notSsh(SshException e) {
        return e.getDisconnectCode() == SshConstants.SSH2_DISCONNECT_PROTOCOL_VERSION_NOT_SUPPORTED
                || text(e).contains("identification");
    }

    private TroubleException say(Kind kind, Place place, String key, Exception cause) {
        return new TroubleException(troubles.words().trouble(kind, place, key), cause);
    }

    private static String text(Exception e) {
        return e.getMessage() == null ? "" : e.getMessage().toLowerCase(Locale.ROOT);
    }
}
