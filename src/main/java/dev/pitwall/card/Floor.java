package dev.pitwall.card;

import java.util.Locale;

/**
 * One layer of a card's tower, listed from the bottom up. Each waits for the one below it.
 */
public enum Floor {
    FIRMWARE, VFIO, VM, DRIVER, RUNTIME, DISCOVERY, PLUGIN, TELEMETRY, PROOF, SERVER;

    /** The stable name used in JSON and in message keys, for example {@code firmware}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
