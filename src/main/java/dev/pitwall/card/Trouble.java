package dev.pitwall.card;

import java.util.Objects;

/**
 * A typed condition a person can act on: what happened, where, and what to do next. It is made once, at the border
 * to the outside system; everything above shows it as it is. It never holds a stack trace or a secret.
 *
 * @param kind  the class of the condition, for code that decides (retry, exit code, icon)
 * @param where the system and place, for example {@code pve1:8006} or {@code ~/.kube/config line 12}
 * @param what  one sentence without the place, for example {@code connection refused: pveproxy does not listen}
 * @param next  one sentence with the next action, for example {@code Check "systemctl status pveproxy" on pve1.}
 */
public record Trouble(Kind kind, String where, String what, String next) {

    /** Classes of trouble. {@link #unreachable()} tells which ones mean "could not get through". */
    public enum Kind {
        /** The name does not resolve. */
        NAME,
        /** Nothing listens, no route, or the connection was cut. */
        CONNECT,
        /** The other side did not answer in time. */
        TIMEOUT,
        /** TLS failed: not TLS, expired, wrong host name. */
        TLS,
        /** A pinned certificate or host key is unknown or has changed; no secret was sent. */
        TRUST,
        /** User, password, token, key or second factor was refused. */
        CREDENTIALS,
        /** Signed in, but not allowed. */
        RIGHTS,
        /** It answers, but is not the expected system or version. */
        PROTOCOL,
        /** An answer or a file could not be understood. */
        UNREADABLE,
        /** The system reported an error of its own. */
        REMOTE,
        /** Inside a VM nobody answers its host: the guest's agent is silent or has just started, or the VM is off. */
        GUEST,
        /** Something the site refers to does not exist: context, file, service. */
        MISSING,
        /** Refused now: a run works on it, or something else has to come first. */
        BUSY;

        /** True for conditions in which the system was not reached at all (exit code 3 of the command line). */
        public boolean unreachable() {
            return this == NAME || this == CONNECT || this == TIMEOUT || this == TLS || this == TRUST;
        }
    }

    public Trouble {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(where);
        Objects.requireNonNull(what);
        Objects.requireNonNull(next);
    }

    /** The place and the cause in one line, for example {@code pve1:8006: connection refused}. */
    public String sentence() {
        return where + ": " + what;
    }
}
