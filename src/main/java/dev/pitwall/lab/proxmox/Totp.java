package dev.pitwall.lab.proxmox;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.stream.LongStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Time-based one-time passwords, RFC 6238: SHA-1, six digits, 30 seconds; the neighbouring steps count too. */
final class Totp {
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int STEP_SECONDS = 30;

    private final byte[] secret;

    /** @param base32 the secret as an authenticator app takes it */
    Totp(String base32) {
        this.secret = decode(base32);
    }

    boolean accepts(String code, Instant now) {
        long step = now.getEpochSecond() / STEP_SECONDS;
        return LongStream.rangeClosed(step - 1, step + 1).anyMatch(s -> code(s).equals(code));
    }

    /** The code of the moment. */
    String at(Instant now) {
        return code(now.getEpochSecond() / STEP_SECONDS);
    }

    private String code(long step) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(secret, "HmacSHA1"));
            byte[] hash = mac.doFinal(ByteBuffer.allocate(8).putLong(step).array());
            int offset = hash[hash.length - 1] & 0xf;
            int number = ByteBuffer.wrap(hash, offset, 4).getInt() & 0x7fffffff;
            return String.format("%06d", number % 1_000_000);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC is missing in this JDK", e);
        }
    }

    private static byte[] decode(String base32) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int bits = 0;
        int value = 0;
        for (char c : base32.toUpperCase().replace("=", "").toCharArray()) {
            value = value << 5 | BASE32.indexOf(c);
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes.write(value >> bits & 0xff);
            }
        }
        return bytes.toByteArray();
    }
}
