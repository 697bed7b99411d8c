package dev.pitwall.engine.live;

import java.time.Duration;

/**
 * How often the engine looks, in real time.
 *
 * @param servers a model that others load or let go is seen within that time
 * @param site    cards change, and waits end by time
 * @param views   between two of them at least
 */
public record EnginePace(Duration servers, Duration site, Duration views) {

    /** Quick enough to see a change arrive, slow enough not to be felt by a small server. */
    public static EnginePace usual() {
        return new EnginePace(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(200));
    }
}
