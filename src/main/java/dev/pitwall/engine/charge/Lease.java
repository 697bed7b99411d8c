package dev.pitwall.engine.charge;

import java.time.Duration;
import java.time.Instant;

/**
 * A Lease as the cluster has it (coordination.k8s.io/v1).
 *
 * @param holder      empty where it was given back
 * @param acquired    by the holder's clock
 * @param renewed     by the holder's clock; it is shown, and never compared with the clock of this machine
 * @param duration    after which nobody needs to respect it any more if it is not renewed
 * @param transitions how often it went from one holder to another
 * @param version     of the object; a write is refused if it is not the newest. Empty for one that is to be made
 */
public record Lease(String holder, Instant acquired, Instant renewed, Duration duration, int transitions, String version) {
}
