package dev.pitwall.lab.ssh;

import java.nio.file.Path;

/**
 * How one machine of the lab is reached: what {@code site.json} says of it.
 *
 * @param hostKey {@code SHA256:…} of its host key
 * @param keyFile private key in OpenSSH's format, readable by its owner only
 */
public record SshEntry(String name, MachineState.Kind kind, String host, int port, String user, String hostKey,
                       Path keyFile) {
}
