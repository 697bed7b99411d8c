package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.Map;

/**
 * A snapshot of a VM.
 *
 * @param parent the snapshot before it; empty for the first
 * @param config the configuration at that time
 */
public record LabSnapshot(String name, String description, Instant takenAt, String parent, Map<String, String> config) {
    public LabSnapshot {
        config = Map.copyOf(config);
    }
}
