package dev.pitwall.link.trust;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Trusts exactly one leaf certificate, by its SHA-256, whoever signed it and whatever name it carries, as Proxmox's
 * own client does (facts: pve-apiclient {@code LWP.pm}). Everything else ends the handshake, so that no request and no
 * secret goes out, and is kept to be shown.
 *
 * <p>It extends {@code X509ExtendedTrustManager}, since the JDK wraps a plain {@code X509TrustManager} and then
 * checks the host name all the same.
 */
public final class PinnedTrust extends X509ExtendedTrustManager {
    private final Optional<String> pin;
    private final InstantSource clock;
    private final AtomicReference<Handshake> shown = new AtomicReference<>();
    private final AtomicReference<ShownCertificate> trusted = new AtomicReference<>();

    /** @param protocol for example {@code TLSv1.3} */
    public record Handshake(ShownCertificate certificate, String protocol) {
    }

    /** @param pin SHA-256 as upper-case hex with colons; empty trusts nothing and only looks */
    public PinnedTrust(Optional<String> pin, InstantSource clock) {
        this.pin = pin;
        this.clock = clock;
    }

    /** What the server showed in the last handshake, trusted or not. */
    public Optional<Handshake> shown() {
        return Optional.ofNullable(shown.get());
    }

    /** Sockets whose handshake asks this trust. */
    public SSLSocketFactory sockets() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        String protocol = socket instanceof SSLSocket tls ? tls.getHandshakeSession().getProtocol() : "";
        check(chain, protocol);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, engine.getHandshakeSession().getProtocol());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, "");
    }

    private void check(X509Certificate[] chain, String protocol) throws CertificateException {
        ShownCertificate leaf = ShownCertificate.of(chain[0]);
        shown.set(new Handshake(leaf, protocol));
        Optional<ShownCertificate> before = Optional.ofNullable(trusted.get());
        if (pin.isPresent() && !pin.get().equalsIgnoreCase(leaf.fingerprint())) {
            throw new CertificateRefused(CertificateRefused.Reason.CHANGED, leaf, pin, before);
        }
        Instant now = clock.instant();
        if (now.isAfter(leaf.validUntil())) {
            throw new CertificateRefused(CertificateRefused.Reason.EXPIRED, leaf, pin, before);
        }
        if (now.isBefore(leaf.validFrom())) {
            throw new CertificateRefused(CertificateRefused.Reason.NOT_YET_VALID, leaf, pin, before);
        }
        if (pin.isEmpty()) {
            throw new CertificateRefused(CertificateRefused.Reason.UNKNOWN, leaf, pin, before);
        }
        trusted.set(leaf);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
