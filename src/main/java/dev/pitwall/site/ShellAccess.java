package dev.pitwall.site;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a machine is reached over SSH.
 *
 * @param name    the Proxmox node's or Kubernetes node's name where it is one
 * @param port    1 to 65535
 * @param hostKey pinned {@code SHA256:…} of the host key; empty before first trust
 * @param jump    the machine to go through
 */
public record ShellAccess(String name, Role role, String host, int port, String user, Login login,
                          Optional<String> hostKey, Optional<ShellAccess> jump) {

    /** What tells the machine from all others, whatever a site calls it: its pinned key, or its address without one. */
    public String identity() {
        return hostKey.orElse(host + ":" + port);
    }

    public enum Role { PROXMOX_HOST, NODE, JUMP }

    public sealed interface Login {
    }

    /** @param passphrase for an encrypted key */
    public record KeyFile(Path file, Optional<SecretRef> passphrase) implements Login {
    }

    /** The agent behind {@code SSH_AUTH_SOCK}. */
    public record Agent() implements Login {
    }

    public record Password(SecretRef secret) implements Login {
    }
}
