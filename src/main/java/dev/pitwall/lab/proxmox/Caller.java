package dev.pitwall.lab.proxmox;

/** Who calls. */
public sealed interface Caller {

    /** {@code user@realm} or {@code user@realm!token}. */
    String id();

    /** Signed in with a ticket. */
    record User(String id) implements Caller {
    }

    /** Signed in with an API token; never {@code root@pam}, even where the token is root's. */
    record Token(String id) implements Caller {
    }
}
