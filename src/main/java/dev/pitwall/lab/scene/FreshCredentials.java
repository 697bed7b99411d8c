package dev.pitwall.lab.scene;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.stream.Collectors;

/** Makes the credentials of one run of the lab. They do not come from its seed: no two runs share them. */
final class FreshCredentials {
    /** Without letters and digits that look alike. */
    private static final String EASY = "abcdefghjkmnpqrstuvwxyz23456789";
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int PASSWORD_LENGTH = 16;
    /** 160 bits, as RFC 4226 asks for. */
    private static final int TOTP_LENGTH = 32;

    private final SecureRandom random = new SecureRandom();

    String password() {
        return letters(EASY, PASSWORD_LENGTH);
    }

    /** A TOTP secret in base32. */
    String totpSecret() {
        return letters(BASE32, TOTP_LENGTH);
    }

    /** A token's secret, a random UUID as Proxmox makes it. */
    String tokenSecret() {
        return UUID.randomUUID().toString();
    }

    private String letters(String alphabet, int length) {
        return random.ints(length, 0, alphabet.length()).mapToObj(i -> String.valueOf(alphabet.charAt(i)))
                .collect(Collectors.joining());
    }
}
