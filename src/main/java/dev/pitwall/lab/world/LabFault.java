package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.Optional;

/**
 * A fault that is switched on.
 *
 * @param trap its name in the trap vocabulary
 * @param card the card it was aimed at; empty for the first that fits
 */
public record LabFault(String trap, Optional<String> card, Instant since) {
}
