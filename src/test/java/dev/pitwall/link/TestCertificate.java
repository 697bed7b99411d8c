package dev.pitwall.link;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;

/** A leaf certificate for a test server, with its key. */
public record TestCertificate(X509Certificate certificate, KeyPair keys) {

    /** Valid from yesterday for a year. */
    public static TestCertificate valid(String name, String issuer) {
        return of(name, issuer, Instant.now().minus(Duration.ofDays(1)), Instant.now().plus(Duration.ofDays(365)));
    }

    public static TestCertificate expired(String name) {
        return of(name, "Proxmox Virtual Environment", Instant.now().minus(Duration.ofDays(30)),
                Instant.now().minus(Duration.ofDays(2)));
    }

    private static TestCertificate of(String name, String issuer, Instant from, Instant until) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            X509Certificate certificate = new JcaX509CertificateConverter().getCertificate(
                    new JcaX509v3CertificateBuilder(new X500Name("CN=" + issuer), BigInteger.valueOf(from.toEpochMilli()),
                            Date.from(from), Date.from(until), new X500Name("CN=" + name), keys.getPublic())
                            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
            return new TestCertificate(certificate, keys);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public String fingerprint() {
        try {
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    SSLContext context() {
        try {
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, null);
            store.setKeyEntry("leaf", keys.getPrivate(), new char[0], new Certificate[] {certificate});
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
