package dev.pitwall.store.secret;

import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

import java.nio.charset.StandardCharsets;

/** How the key of a file of secrets comes about. */
sealed interface FileKey {

    /** AES-256. */
    int BYTES = 32;

    /** Random bytes in a file beside, which only its owner may read. */
    record Beside() implements FileKey {
    }

    /**
     * Argon2id (RFC 9106) over a passphrase.
     *
     * @param memoryKiB memory it takes, in KiB
     * @param passes    over that memory
     * @param lanes     degree of parallelism
     */
    record FromPassphrase(int memoryKiB, int passes, int lanes, byte[] salt) implements FileKey {
        static final int SALT_BYTES = 16;

        /** The second recommended choice of RFC 9106, section 4: 64 MiB, 3 passes, 4 lanes. */
        static FromPassphrase recommended(byte[] salt) {
            return new FromPassphrase(64 * 1024, 3, 4, salt);
        }

        /** Numbers come from a file, so they are kept within what this process can bear. */
        boolean bearable() {
            return memoryKiB >= 8 * lanes && memoryKiB <= 256 * 1024 && passes >= 1 && passes <= 20
                    && lanes >= 1 && lanes <= 16 && salt.length >= 8;
        }

        byte[] derive(String passphrase) {
            Argon2BytesGenerator generator = new Argon2BytesGenerator();
            generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                    .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                    .withMemoryAsKB(memoryKiB).withIterations(passes).withParallelism(lanes).withSalt(salt).build());
            byte[] key = new byte[BYTES];
            generator.generateBytes(passphrase.getBytes(StandardCharsets.UTF_8), key);
            return key;
        }
    }
}
