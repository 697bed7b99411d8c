package dev.pitwall.site;

import java.time.Duration;

/**
 * How often each kind of source is asked. The cluster is watched and needs none.
 *
 * @param metrics DCGM samples every 30 s by default, so asking more often than every 10 s shows the same twice
 */
public record ReadIntervals(Duration proxmox, Duration shells, Duration metrics, Duration models) {

    /** Quick enough to watch a change arrive, slow enough not to be felt by a small host. */
    public static ReadIntervals usual() {
        return new ReadIntervals(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(10),
                Duration.ofSeconds(3));
    }

    /** The usual intervals scaled so that a Proxmox host is asked every {@code seconds}, 2 to 60. */
    public static ReadIntervals every(int seconds) {
        ReadIntervals usual = usual();
        double factor = seconds / (double) usual.proxmox.toSeconds();
        return new ReadIntervals(scaled(usual.proxmox, factor), scaled(usual.shells, factor),
                scaled(usual.metrics, factor), scaled(usual.models, factor));
    }

    private static Duration scaled(Duration d, double factor) {
        return Duration.ofMillis(Math.round(d.toMillis() * factor));
    }
}
