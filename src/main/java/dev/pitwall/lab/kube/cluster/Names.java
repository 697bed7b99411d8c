package dev.pitwall.lab.kube.cluster;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.CRC32C;

/** Names and addresses that look as a cluster makes them but follow from what they are for, so a run repeats. */
final class Names {
    /** The letters Kubernetes draws suffixes from: no vowels, nothing that looks like another. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private Names() {
    }

    static String suffix(String of, int length) {
        StringBuilder text = new StringBuilder(length);
        long seed = hash(of);
        for (int i = 0; i < length; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            text.append(LETTERS.charAt((int) ((seed >>> 33) % LETTERS.length())));
        }
        return text.toString();
    }

    static long hash(String of) {
        CRC32C crc = new CRC32C();
        crc.update(of.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    static String uid(String of) {
        return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
