package dev.pitwall.lab.models;

import dev.pitwall.lab.world.LabClock;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Downloads of one server. Concurrent pulls of a model share one download, and one that was cut off goes on where it
 * was, as Ollama's do.
 */
final class Pulls {
    /** A home connection of about 640 Mbit/s. */
    private static final double BYTES_PER_SECOND = 80e6;

    private static final class Progress {
        private long done;
        private Instant since;
        private int watchers;
    }

    private final LabClock clock;
    private final Map<String, Progress> downloads = new HashMap<>();

    Pulls(LabClock clock) {
        this.clock = clock;
    }

    /** Someone waits for a download; it runs while anybody does. */
    synchronized void join(String digest) {
        Progress p = downloads.computeIfAbsent(digest, d -> new Progress());
        if (p.watchers++ == 0) {
            p.since = clock.instant();
        }
    }

    synchronized void leave(String digest, long total) {
        Progress p = downloads.get(digest);
        long now = completed(digest, total);
        if (--p.watchers == 0) {
            p.done = now;
        }
    }

    /** Bytes that have arrived. */
    synchronized long completed(String digest, long total) {
        Progress p = downloads.get(digest);
        double seconds = p.watchers == 0 ? 0 : Duration.between(p.since, clock.instant()).toNanos() / 1e9;
        return Math.min(total, p.done + Math.round(seconds * BYTES_PER_SECOND));
    }

    synchronized void forget(String digest) {
        downloads.remove(digest);
    }
}
