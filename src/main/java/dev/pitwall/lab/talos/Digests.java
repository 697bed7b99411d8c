package dev.pitwall.lab.talos;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts, as the registry's digests and the factory's ids are written. */
final class Digests {
    private Digests() {
    }

    /** {@code sha256:} and 64 hex digits that stand for a reference; the lab has no layers to hash. */
    static String of(String reference) {
        return "sha256:" + hex(reference);
    }

    static String hex(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
