package dev.pitwall.link.kube;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority of a test's own. */
final class TestAuthority {
    private static final AtomicLong SERIAL = new AtomicLong(System.nanoTime());
    private final KeyPair keys = keys("EC");
    private final X509Certificate certificate;

    /** @param pem the key in the form OpenSSL writes for its kind: PKCS#1, SEC1, or PKCS#8 */
    record Issued(X509Certificate certificate, PrivateKey key) {
        String certificatePem() {
            return pem(certificate);
        }

        String keyPem() {
            return key instanceof ECPrivateKey ec ? sec1(ec) : pem(key);
        }

        /** As OpenSSL writes it, with the parameters of the curve before the key. */
        private static String sec1(ECPrivateKey key) {
            try {
                StringWriter text = new StringWriter();
                try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
                    writer.writeObject(new PemObject("EC PARAMETERS",
                            SECObjectIdentifiers.secp256r1.getEncoded()));
                    writer.writeObject(new PemObject("EC PRIVATE KEY", new org.bouncycastle.asn1.sec.ECPrivateKey(256,
                            key.getS(), SECObjectIdentifiers.secp256r1).getEncoded()));
                }
                return text.toString();
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        String keyPkcs8() {
            return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'})
                    .encodeToString(key.getEncoded()) + "\n-----END PRIVATE KEY-----\n";
        }
    }

    TestAuthority() {
        this.certificate = sign(new X500Name("CN=test-ca"), keys, new X500Name("CN=test-ca"), Duration.ofDays(1), true);
    }

    String pem() {
        return pem(certificate);
    }

    Issued server(Duration validFor, String... names) {
        KeyPair pair = keys("EC");
        return new Issued(sign(new X500Name("CN=kube-apiserver"), pair, new X500Name("CN=test-ca"), validFor, false,
                names), pair.getPrivate());
    }

    /** @param algorithm {@code RSA}, {@code EC} or {@code Ed25519} */
    Issued client(String algorithm, Duration validFor) {
        KeyPair pair = keys(algorithm);
        return new Issued(sign(new X500Name("O=system:masters,CN=admin"), pair, new X500Name("CN=test-ca"), validFor,
                false), pair.getPrivate());
    }

    SSLContext context(Issued server) throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        store.setKeyEntry("server", server.key(), new char[0], new Certificate[] {server.certificate(), certificate});
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
        keyManagers.init(store, new char[0]);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private X509Certificate sign(X500Name subject, KeyPair pair, X500Name issuer, Duration validFor, boolean authority,
                                 String... names) {
        try {
            Instant end = Instant.now().plus(validFor);
            Instant begin = end.minus(Duration.ofDays(2));
            var builder = new JcaX509v3CertificateBuilder(issuer, BigInteger.valueOf(SERIAL.incrementAndGet()),
                    Date.from(begin), Date.from(end), subject, pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (names.length > 0) {
                GeneralName[] all = new GeneralName[names.length];
                for (int i = 0; i < names.length; i++) {
                    boolean address = names[i].matches("[0-9.]+");
                    all[i] = new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, names[i]);
                }
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(all));
            }
            return new JcaX509CertificateConverter().getCertificate(builder.build(
                    new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static KeyPair keys(String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            switch (algorithm) {
                case "RSA" -> generator.initialize(2048);
                case "EC" -> generator.initialize(256);
                default -> { }
            }
            return generator.generateKeyPair();
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String pem(Object object) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return text.toString();
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
