package dev.pitwall.link;

import dev.pitwall.link.http.Limits;

import java.time.Duration;

/** The time limits of all links to hosts and servers. */
public record TimeLimits(Limits proxmox, Limits shell, Limits metrics, Limits models) {
    private static final Duration CONNECT = Duration.ofSeconds(4);

    /**
     * What suits a home network. pveproxy itself waits up to 30 s for another node (facts 1.1), so its answer of 595 or
     * 596 must be waited for; a model server's poll may stall while a model loads and is better asked again.
     */
    public static TimeLimits usual() {
        return new TimeLimits(new Limits(CONNECT, Duration.ofSeconds(35)), new Limits(CONNECT, Duration.ofSeconds(15)),
                new Limits(CONNECT, Duration.ofSeconds(10)), new Limits(CONNECT, Duration.ofSeconds(5)));
    }
}
