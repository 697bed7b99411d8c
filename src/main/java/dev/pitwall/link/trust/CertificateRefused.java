package dev.pitwall.link.trust;

import java.security.cert.CertificateException;
import java.util.Optional;

/** Why {@link PinnedTrust} ended a handshake. It travels through the TLS layer as the cause of its exception. */
final class CertificateRefused extends CertificateException {
    private static final long serialVersionUID = 1L;

    /** The reasons, from the certificate alone. */
    enum Reason { UNKNOWN, CHANGED, EXPIRED, NOT_YET_VALID }

    private final Reason reason;
    private final transient ShownCertificate shown;
    private final transient Optional<String> pin;
    private final transient Optional<ShownCertificate> before;

    CertificateRefused(Reason reason, ShownCertificate shown, Optional<String> pin,
                       Optional<ShownCertificate> before) {
        super(reason + " " + shown.fingerprint());
        this.reason = reason;
        this.shown = shown;
        this.pin = pin;
        this.before = before;
    }

    Reason reason() {
        return reason;
    }

    ShownCertificate shown() {
        return shown;
    }

    Optional<String> pin() {
        return pin;
    }

    /** The certificate that matched the pin earlier in this process. */
    Optional<ShownCertificate> before() {
        return before;
    }
}
