package dev.pitwall.lab.net;

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
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
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
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificate authority of one lab: it issues the certificate of every TLS server in it and of every client that
 * logs in with one. Keys are EC P-256, made anew for each lab and kept in memory only.
 */
public final class LabAuthority {
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "::1");
    private static final Duration LIFETIME = Duration.ofDays(730);
    private static final char[] NO_PASSWORD = new char[0];

    private final SecureRandom random = new SecureRandom();
    private final InstantSource time;
    private final KeyPair key;
    private final X509Certificate certificate;
    private final Map<String, X509Certificate> leaves = new ConcurrentHashMap<>();

    /** A client's certificate and private key (PKCS#8), both as PEM. */
    public record ClientIdentity(String certificatePem, String keyPem) {
        @Override
        public String toString() {
            return "ClientIdentity[" + certificatePem.length() + " characters of certificate]";
        }
    }

    /** When a certificate starts and ends to be valid. */
    public record Validity(Instant from, Instant until) {
    }

    public LabAuthority(InstantSource time) {
        this.time = time;
        this.key = newKey();
        X500Name name = new X500Name("O=Pitwall practice lab,CN=Practice Lab CA");
        this.certificate = sign(name, name, key, usual(), builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        });
    }

    /** A server certificate for loopback and the given names, valid from yesterday for two years. */
    public SSLContext serverContext(String commonName, List<String> names) {
        return serverContext(commonName, names, usual());
    }

    /**
     * A server certificate with a validity of its own, for example one that has expired. The context trusts this
     * authority for client certificates. A second certificate for the same common name replaces the first's
     * {@link #fingerprint}.
     */
    public SSLContext serverContext(String commonName, List<String> names, Validity validity) {
        KeyPair pair = newKey();
        GeneralNames alternatives = new GeneralNames(Stream.concat(LOOPBACK.stream(), names.stream()).distinct()
                .map(LabAuthority::generalName).toArray(GeneralName[]::new));
        X509Certificate leaf = issue(new X500NameBuilder().addRDN(BCStyle.CN, commonName).build(), pair, validity,
                KeyPurposeId.id_kp_serverAuth, alternatives);
        leaves.put(commonName, leaf);
        return context(pair.getPrivate(), leaf);
    }

    /** A client certificate; Kubernetes takes the common name as user and the organizations as groups. */
    public ClientIdentity client(String commonName, List<String> organizations) {
        KeyPair pair = newKey();
        X500NameBuilder name = new X500NameBuilder();
        organizations.forEach(organization -> name.addRDN(BCStyle.O, organization));
        name.addRDN(BCStyle.CN, commonName);
        X509Certificate leaf = issue(name.build(), pair, usual(), KeyPurposeId.id_kp_clientAuth, null);
        return new ClientIdentity(certificatePem(leaf), pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
    }

    /** The authority's own certificate, for clients that are to trust it. */
    public String caPem() {
        return certificatePem(certificate);
    }

    /** The authority's own certificate. */
    public X509Certificate caCertificate() {
        return certificate;
    }

    /**
     * SHA-256 of the newest server certificate with this common name, as upper-case hex with colons.
     *
     * @throws IllegalArgumentException if none was issued
     */
    public String fingerprint(String commonName) {
        return fingerprint(leaf(commonName));
    }

    /** SHA-256 of a certificate, as upper-case hex with colons. */
    public static String fingerprint(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is missing in this JDK", e);
        }
    }

    /**
     * The newest server certificate with this common name.
     *
     * @throws IllegalArgumentException if none was issued
     */
    public X509Certificate leaf(String commonName) {
        X509Certificate leaf = leaves.get(commonName);
        if (leaf == null) {
            throw new IllegalArgumentException("no server certificate was issued for " + commonName);
        }
        return leaf;
    }

    /** A certificate as PEM. */
    public static String certificatePem(X509Certificate certificate) {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("certificate cannot be encoded", e);
        }
    }

    private Validity usual() {
        Instant now = time.instant();
        return new Validity(now.minus(Duration.ofDays(1)), now.plus(LIFETIME));
    }

    private X509Certificate issue(X500Name subject, KeyPair pair, Validity validity, KeyPurposeId purpose,
                                  GeneralNames alternatives) {
        X500Name issuer = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        return sign(issuer, subject, pair, validity, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            builder.addExtension(Extension.authorityKeyIdentifier, false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(key.getPublic()));
            if (alternatives != null) {
                builder.addExtension(Extension.subjectAlternativeName, false, alternatives);
            }
        });
    }

    private interface Extensions {
        void addTo(JcaX509v3CertificateBuilder builder) throws IOException, GeneralSecurityException;
    }

    private X509Certificate sign(X500Name issuer, X500Name subject, KeyPair pair, Validity validity,
                                 Extensions extensions) {
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(issuer,
                    new BigInteger(127, random).add(BigInteger.ONE), Date.from(validity.from()),
                    Date.from(validity.until()), subject, pair.getPublic());
            builder.addExtension(Extension.subjectKeyIdentifier, false,
                    new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
            extensions.addTo(builder);
            return new JcaX509CertificateConverter().getCertificate(
                    builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate())));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("the lab's certificate authority could not sign", e);
        }
    }

    private SSLContext context(PrivateKey privateKey, X509Certificate leaf) {
        try {
            // It never leaves memory: PKCS12 would seal the key with ten thousand rounds of PBKDF2, for each server of the lab.
            KeyStore own = KeyStore.getInstance("JKS");
            own.load(null, null);
            own.setKeyEntry("server", privateKey, NO_PASSWORD, new X509Certificate[] {leaf, certificate});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, NO_PASSWORD);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", certificate);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), random);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JDK cannot make a TLS context", e);
        }
    }

    private KeyPair newKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no EC P-256", e);
        }
    }

    private static GeneralName generalName(String name) {
        boolean address = name.contains(":") || name.matches("\\d{1,3}(\\.\\d{1,3}){3}");
        return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, name);
    }

    private static String pem(String type, byte[] der) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }
}
