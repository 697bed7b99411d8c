package dev.pitwall.lab.talos;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificate authority of a Talos cluster's machine API. Its keys are Ed25519, as Talos makes them; a client's roles
 * are the organizations of its certificate (facts: cluster.md 4.5).
 */
final class TalosAuthority {
    private static final Duration LIFE = Duration.ofDays(365);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A certificate with its key. */
    record Identity(X509Certificate certificate, PrivateKey key) {
        byte[] certificatePem() {
            return TalosAuthority.pem("CERTIFICATE", encoded(certificate));
        }

        /** Talos labels its plain PKCS#8 in its own way (facts: cluster.md 4.5). */
        byte[] keyPem() {
            return TalosAuthority.pem("ED25519 PRIVATE KEY", key.getEncoded());
        }
    }

    private final InstantSource time;
    private final Identity root;

    TalosAuthority(InstantSource time) {
        this.time = time;
        KeyPair pair = pair();
        this.root = new Identity(issue(new X500Name("O=talos"), pair, new X500Name("O=talos"), pair.getPrivate(), Use.CA),
                pair.getPrivate());
    }

    private enum Use { CA, SERVER, CLIENT }

    byte[] caPem() {
        return root.certificatePem();
    }

    /** @param roles for example {@code os:admin} */
    Identity client(List<String> roles) {
        X500NameBuilder name = new X500NameBuilder();
        roles.forEach(role -> name.addRDN(BCStyle.O, role));
        return identity(name.build(), Use.CLIENT);
    }

    KeyManager[] serverKeys(String node) {
        Identity server = identity(new X500NameBuilder().addRDN(BCStyle.CN, node).build(), Use.SERVER);
        try {
            KeyStore store = empty();
            store.setKeyEntry("node", server.key(), new char[0],
                    new X509Certificate[] {server.certificate(), root.certificate()});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            return keys.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JDK cannot hold an Ed25519 key", e);
        }
    }

    TrustManager[] clientTrust() {
        try {
            KeyStore store = empty();
            store.setCertificateEntry("ca", root.certificate());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            return trust.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JDK cannot hold an Ed25519 certificate", e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        // It never leaves memory: PKCS12 would seal each node's key with ten thousand rounds of PBKDF2.
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }

    private Identity identity(X500Name subject, Use use) {
        KeyPair pair = pair();
        return new Identity(issue(subject, pair, new X500Name("O=talos"), root.key(), use), pair.getPrivate());
    }

    private X509Certificate issue(X500Name subject, KeyPair pair, X500Name issuer, PrivateKey signer, Use use) {
        try {
            Instant now = time.instant();
            var builder = new JcaX509v3CertificateBuilder(issuer, new BigInteger(127, RANDOM),
                    Date.from(now.minus(Duration.ofHours(1))), Date.from(now.plus(LIFE)), subject, pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(use == Use.CA));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(use == Use.CA
                    ? KeyUsage.digitalSignature | KeyUsage.keyCertSign : KeyUsage.digitalSignature));
            switch (use) {
                case CA -> { }
                case CLIENT -> builder.addExtension(Extension.extendedKeyUsage, false,
                        new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth));
                case SERVER -> {
                    builder.addExtension(Extension.extendedKeyUsage, false,
                            new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
                    builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                        new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                        new GeneralName(GeneralName.dNSName, "localhost")}));
                }
            }
            return new JcaX509CertificateConverter().getCertificate(builder.build(
                    new JcaContentSignerBuilder("Ed25519").build(signer)));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this JDK cannot sign with Ed25519", e);
        }
    }

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK since 15 has Ed25519", e);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was just made can be encoded", e);
        }
    }

    private static byte[] pem(String label, byte[] der) {
        return ("-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END " + label + "-----\n").getBytes(StandardCharsets.US_ASCII);
    }
}
