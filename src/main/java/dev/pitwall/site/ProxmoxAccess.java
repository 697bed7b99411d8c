package dev.pitwall.site;

import java.net.URI;
import java.util.Optional;

/**
 * How one Proxmox API is reached. In a Proxmox cluster one access sees every node.
 *
 * @param name        for messages, for example {@code pve1}
 * @param url         for example {@code https://pve1.lan:8006}
 * @param fingerprint pinned SHA-256 of the leaf certificate, upper-case hex with colons; empty before first trust
 */
public record ProxmoxAccess(String name, URI url, Login login, Optional<String> fingerprint) {

    /** How to sign in. */
    public sealed interface Login {
    }

    /** @param id {@code user@realm!tokenid} */
    public record Token(String id, SecretRef secret) implements Login {
    }

    /** @param user {@code user@realm}; a second factor is asked for at sign-in */
    public record Password(String user, SecretRef secret) implements Login {
    }
}
