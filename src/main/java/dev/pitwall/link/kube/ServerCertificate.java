package dev.pitwall.link.kube;

import dev.pitwall.link.trust.ClientIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.ShownCertificate;

/**
 * Looks at an API server's certificate, directly and not through a proxy, before anything is sent to it: signed by the
 * kubeconfig's authority, for this name, valid today. Real requests check the same again; this one tells the three
 * apart and shows what it saw.
 */
final class ServerCertificate {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH);

    private final ApiServer server;
    private final Duration limit;
    private final InstantSource clock;

    /**
     * @param chain    leaf first
     * @param protocol for example {@code TLSv1.3}
     * @param named    it is made out to the name it is reached by
     */
    record Shown(List<X509Certificate> chain, String protocol, boolean named) {
        /** For example {@code 1.3}. */
        String version() {
            return protocol.replace("TLSv", "");
        }

        X509Certificate leaf() {
            return chain.getFirst();
        }

        ShownCertificate certificate() {
            return ShownCertificate.of(leaf());
        }
    }

    ServerCertificate(ApiServer server, Duration limit, InstantSource clock) {
        this.server = server;
        this.limit = limit;
        this.clock = clock;
    }

    /** Fetches the certificate, whoever signed it; no request is sent. */
    Shown fetch() throws TroubleException {
        ServerTrust trust = server.trust();
        AtomicReference<List<X509Certificate>> seen = new AtomicReference<>(List.of());
        try (Socket plain = new Socket()) {
            plain.setSoTimeout((int) limit.toMillis());
            plain.connect(new InetSocketAddress(trust.base().host(), trust.base().port()), (int) limit.toMillis());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Looking(seen)}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain,
                    trust.base().host(), trust.base().port(), true)) {
                trust.tlsServerName().ifPresent(name -> {
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setServerNames(List.of(new SNIHostName(name)));
                    socket.setSSLParameters(parameters);
                });
                socket.startHandshake();
                return new Shown(seen.get(), socket.getSession().getProtocol(), server.requests().hostnameVerifier()
                        .verify(trust.base().host(), socket.getSession()));
            }
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has TLS", impossible);
        } catch (IOException failed) {
            throw server.trouble(failed);
        }
    }

    /** @return what is good about it, in a few words */
    String check(Shown shown) throws TroubleException {
        ServerTrust trust = server.trust();
        X509Certificate leaf = shown.leaf();
        Instant now = clock.instant();
        if (now.isAfter(leaf.getNotAfter().toInstant())) {
            throw refused("tls.expired", "date", server.troubles().words().text("tls.expired.on", "date",
                    day(leaf.getNotAfter().toInstant())));
        }
        if (now.isBefore(leaf.getNotBefore().toInstant())) {
            throw refused("tls.early", "date", day(leaf.getNotBefore().toInstant()));
        }
        if (trust.skipVerify()) {
            return shown.version() + ", certificate not checked (insecure-skip-tls-verify)";
        }
        if (!signed(shown.chain(), trust.authority())) {
            throw refused(trust.authority().isPresent() ? "tls.issuer" : "tls.noauthority");
        }
        if (!shown.named()) {
            throw refused("tls.hostname");
        }
        String name = trust.tlsServerName().orElse(trust.base().host());
        return shown.version() + ", certificate of " + name + " valid until " + day(leaf.getNotAfter().toInstant());
    }

    private TroubleException refused(String key, String... values) {
        Trouble trouble = server.troubles().words().trouble(Trouble.Kind.TLS, server.place(), key, values);
        return new TroubleException(new Trouble(trouble.kind(), server.where(), trouble.what(), trouble.next()));
    }

    private static boolean signed(List<X509Certificate> chain, Optional<byte[]> authority) throws TroubleException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authority.isPresent() ? store(authority.get()) : null);
            ((X509TrustManager) factory.getTrustManagers()[0]).checkServerTrusted(
                    chain.toArray(X509Certificate[]::new), "UNKNOWN");
            return true;
        } catch (CertificateException notSigned) {
            return false;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("every JDK has a key store", impossible);
        }
    }

    private static KeyStore store(byte[] authority) throws GeneralSecurityException, IOException, TroubleException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int index = 0;
        for (X509Certificate certificate : ClientIdentity.certificates(authority, "certificate authority",
                "kubeconfig")) {
            store.setCertificateEntry("ca" + index++, certificate);
        }
        return store;
    }

    private static String day(Instant at) {
        return DAY.format(at.atZone(ZoneId.systemDefault()));
    }

    /** Accepts everything, since nothing is sent; remembers what was shown. */
    private record Looking(AtomicReference<List<X509Certificate>> seen) implements X509TrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            seen.set(List.of(chain));
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
}
