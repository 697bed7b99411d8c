package dev.pitwall.lab.world;

/**
 * Between which values a card's figures move from idle to full load.
 *
 * @param idleW              power when nothing runs, watts
 * @param idleC              temperature when nothing runs for long, degrees Celsius
 * @param fullC              temperature after long full load
 * @param idleSmMHz          SM clock when nothing runs
 * @param fullSmMHz          SM clock under load
 * @param idleMemoryMHz      memory clock when nothing runs
 * @param fullMemoryMHz      memory clock under load
 * @param reservedMiB        memory the driver keeps for itself
 */
public record CardEnvelope(double idleW, double idleC, double fullC, int idleSmMHz, int fullSmMHz,
                           int idleMemoryMHz, int fullMemoryMHz, long reservedMiB) {
}
