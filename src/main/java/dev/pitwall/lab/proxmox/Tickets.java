package dev.pitwall.lab.proxmox;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Login tickets and their CSRF tokens, in Proxmox's form: {@code PVE:root@pam:65A1B2C3::signature}. The signature is
 * an HMAC with a key of this lab; the real one is an RSA signature of about the same length. [facts: proxmox.md 1.3]
 */
final class Tickets {
    static final Duration LIFETIME = Duration.ofHours(2);
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);
    private static final String PARTIAL = "!tfa!";
    private static final String TOTP_CHALLENGE = "{\"totp\":true}";

    private final SecretKeySpec key;
    private final InstantSource time;

    Tickets(InstantSource time) {
        this.time = time;
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, "HmacSHA512");
    }

    String full(String user) {
        return signed("PVE:" + user + ":" + stamp(time.instant()), "");
    }

    /** The user is part of the signature only, as in the real one, where the second call must name it again. */
    String partial(String user) {
        return signed("PVE:" + PARTIAL + URLEncoder.encode(TOTP_CHALLENGE, StandardCharsets.UTF_8) + ":"
                + stamp(time.instant()), user);
    }

    /** Whose ticket this is; empty if it is none, is too old, or waits for a second factor. */
    Optional<String> user(String ticket) {
        String[] parts = ticket.split(":", -1);
        if (parts.length != 5 || !parts[0].equals("PVE") || parts[1].startsWith(PARTIAL)) {
            return Optional.empty();
        }
        return valid(ticket, parts[2], "") ? Optional.of(parts[1]) : Optional.empty();
    }

    boolean isPartialOf(String ticket, String user) {
        String[] parts = ticket.split(":", -1);
        return parts.length == 5 && parts[0].equals("PVE") && parts[1].startsWith(PARTIAL)
                && valid(ticket, parts[2], user);
    }

    String csrf(String user) {
        String stamp = stamp(time.instant());
        return stamp + ":" + mac(stamp + ":" + user).substring(0, 43);
    }

    boolean isCsrf(String token, String user) {
        int colon = token.indexOf(':');
        return colon == 8 && inTime(token.substring(0, 8))
                && same(token.substring(9), mac(token.substring(0, 8) + ":" + user).substring(0, 43));
    }

    private boolean valid(String ticket, String stamp, String secretPart) {
        int signature = ticket.indexOf("::");
        return inTime(stamp) && signed(ticket.substring(0, signature), secretPart).equals(ticket);
    }

    private boolean inTime(String stamp) {
        if (!stamp.matches("[0-9A-F]{8}")) {
            return false;
        }
        Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(stamp, 16)), time.instant());
        return age.compareTo(CLOCK_SKEW.negated()) > 0 && age.compareTo(LIFETIME) < 0;
    }

    private String signed(String text, String secretPart) {
        return text + "::" + mac(text + secretPart);
    }

    private static String stamp(Instant instant) {
        return String.format("%08X", instant.getEpochSecond());
    }

    private String mac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA512");
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC is missing in this JDK", e);
        }
    }

    private static boolean same(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
