package dev.pitwall.lab.ssh;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/** The id that a kernel gives itself at each start. */
public final class BootIds {
    private BootIds() {
    }

    /** Another one for each boot of each machine; the same however often it is asked. */
    public static UUID of(String machine, Instant bootedAt) {
        return UUID.nameUUIDFromBytes((machine + " boot " + bootedAt.toEpochMilli()).getBytes(StandardCharsets.UTF_8));
    }
}
