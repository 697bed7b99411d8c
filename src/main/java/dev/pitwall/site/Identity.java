package dev.pitwall.site;

import java.time.Instant;
import java.util.Optional;

/**
 * What a system shows of itself at first contact, to be compared with its console.
 *
 * @param kind        for example {@code SHA-256, leaf} or {@code ED25519 host key}
 * @param fingerprint upper-case hex with colons for a certificate, {@code SHA256:…} for a host key
 * @param subject     for example {@code CN pve1.lan}
 * @param issuer      who signed it
 * @param validUntil  for a certificate
 * @param command     what to run on the system's own console to see the same, for example {@code pvenode cert info}
 */
public record Identity(String kind, String fingerprint, Optional<String> subject, Optional<String> issuer,
                       Optional<Instant> validUntil, String command) {
}
