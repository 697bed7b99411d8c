package dev.pitwall.lab;

import java.util.Optional;

/**
 * A login that the lab takes. It opens nothing but the lab, so it may be shown.
 *
 * @param system {@code proxmox} or {@code ssh}
 * @param totp   secret of the second factor in base32, as an authenticator app takes it
 */
public record LabLogin(String system, String user, String password, Optional<String> totp) {
}
