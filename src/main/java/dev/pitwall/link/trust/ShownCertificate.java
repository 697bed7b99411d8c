package dev.pitwall.link.trust;

import dev.pitwall.site.Identity;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The leaf certificate a server showed.
 *
 * @param fingerprint SHA-256, upper-case hex with colons, as Proxmox and openssl print it
 * @param subject     {@code CN …}, or the whole name where it has no CN
 * @param issuer      the same of its issuer
 * @param issuerName  the issuer's whole name, to compare issuers by; Proxmox puts a UUID of the cluster into it
 */
public record ShownCertificate(String fingerprint, String subject, String issuer, String issuerName,
                               Instant validFrom, Instant validUntil) {

    public static ShownCertificate of(X509Certificate leaf) {
        return new ShownCertificate(fingerprint(leaf), shortName(leaf.getSubjectX500Principal().getName()),
                shortName(leaf.getIssuerX500Principal().getName()), leaf.getIssuerX500Principal().getName(),
                leaf.getNotBefore().toInstant(), leaf.getNotAfter().toInstant());
    }

    /** @param command what shows the same on the system's own console */
    public Identity identity(String command) {
        return new Identity("SHA-256, leaf", fingerprint, Optional.of(subject), Optional.of(issuer),
                Optional.of(validUntil), command);
    }

    private static String fingerprint(X509Certificate leaf) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(leaf.getEncoded());
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("every JDK has SHA-256, and a parsed certificate can be encoded", e);
        }
    }

    private static String shortName(String name) {
        try {
            return new LdapName(name).getRdns().stream()
                    .filter(part -> part.getType().equalsIgnoreCase("CN"))
                    .map(part -> "CN " + part.getValue()).findFirst().orElse(name);
        } catch (InvalidNameException e) {
            return name;
        }
    }
}
