package dev.pitwall.link.trust;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.List;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * A client certificate with its key, of a kubeconfig or talosconfig: RSA (PKCS#1 or PKCS#8), EC (SEC1 or PKCS#8) or
 * Ed25519. client-java reads keys by
 * guessing from the PEM header and takes everything else for RSA, hence this class.
 *
 * @param chain leaf first
 */
public record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {
    public ClientIdentity {
        chain = List.copyOf(chain);
    }

    @Override
    public String toString() {
        return "ClientIdentity[" + leaf().getSubjectX500Principal().getName() + "]";
    }

    public X509Certificate leaf() {
        return chain.getFirst();
    }

    public Instant validUntil() {
        return leaf().getNotAfter().toInstant();
    }

    /**
     * @param where for messages: where the two come from
     * @throws TroubleException if one of them cannot be read, or they do not belong together
     */
    public static ClientIdentity of(byte[] certificate, byte[] key, String where) throws TroubleException {
        ClientIdentity identity = new ClientIdentity(certificates(certificate, "client certificate", where),
                privateKey(key, where));
        if (!identity.belongTogether()) {
            throw new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, where,
                    "the client certificate and the client key do not belong together",
                    "Copy both again from the cluster."));
        }
        return identity;
    }

    /** @param what for messages, for example {@code certificate authority} */
    public static List<X509Certificate> certificates(byte[] pem, String what, String where) throws TroubleException {
        try {
            List<X509Certificate> found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem)).stream()
                    .map(X509Certificate.class::cast).toList();
            if (!found.isEmpty()) {
                return found;
            }
        } catch (CertificateException garbled) {
            // Falls through to the same answer as no certificate at all: the bytes say no more.
        }
        throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, where,
                "the " + what + " is not a certificate in PEM form", "Copy it again from the cluster."));
    }

    private static PrivateKey privateKey(byte[] pem, String where) throws TroubleException {
        try (PEMParser parser = new PEMParser(new InputStreamReader(new ByteArrayInputStream(pem),
                StandardCharsets.US_ASCII))) {
            for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
                switch (part) {
                    case PEMKeyPair pair -> {
                        return key(pair.getPrivateKeyInfo());
                    }
                    case PrivateKeyInfo info -> {
                        return key(info);
                    }
                    case PEMEncryptedKeyPair locked -> throw encrypted(where);
                    case PKCS8EncryptedPrivateKeyInfo locked -> throw encrypted(where);
                    default -> {
                        // Other blocks, such as EC PARAMETERS or a certificate, may stand before the key.
                    }
                }
            }
        } catch (IOException | GeneralSecurityException garbled) {
            throw new TroubleException(unreadableKey(where), garbled);
        }
        throw new TroubleException(unreadableKey(where));
    }

    /** Keys are made by the JDK, since its TLS does not sign with those of another provider. */
    private static PrivateKey key(PrivateKeyInfo info) throws IOException, GeneralSecurityException {
        ASN1ObjectIdentifier kind = info.getPrivateKeyAlgorithm().getAlgorithm();
        String algorithm = kind.equals(PKCSObjectIdentifiers.rsaEncryption) ? "RSA"
                : kind.equals(X9ObjectIdentifiers.id_ecPublicKey) ? "EC" : "EdDSA";
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
    }

    private static Trouble unreadableKey(String where) {
        return new Trouble(Trouble.Kind.UNREADABLE, where, "the client key is not a private key in PEM form",
                "Copy it again from the cluster.");
    }

    private static TroubleException encrypted(String where) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, where,
                "the client key is locked with a passphrase, which a kubeconfig cannot hold",
                "Unlock it with \"openssl pkey -in KEY -out NEW-KEY\" and name that file."));
    }

    private boolean belongTogether() {
        PublicKey publicKey = leaf().getPublicKey();
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        byte[] text = {1, 2, 3};
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(text);
            byte[] signed = signer.sign();
            signer.initVerify(publicKey);
            signer.update(text);
            return signer.verify(signed);
        } catch (GeneralSecurityException otherKind) {
            return false;
        }
    }
}
