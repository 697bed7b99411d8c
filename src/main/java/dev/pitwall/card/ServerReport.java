package dev.pitwall.card;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A model server.
 *
 * @param software  {@code ollama} or {@code llama-server}
 * @param version   as it says
 * @param loaded    models in memory now
 * @param installed models it could load
 */
public record ServerReport(String name, String software, Optional<String> version, List<LoadedModel> loaded,
                           List<InstalledModel> installed) {

    public ServerReport {
        loaded = List.copyOf(loaded);
        installed = List.copyOf(installed);
    }

    /**
     * @param sizeBytes     memory it takes in all
     * @param vramBytes     the part of it on the GPU; empty when the server does not tell
     * @param expiresAt     when it will be unloaded if nothing asks for it; over 100 years ahead means pinned
     * @param contextTokens empty before Ollama 0.9.7
     */
    public record LoadedModel(String name, OptionalLong sizeBytes, OptionalLong vramBytes,
                              Optional<Instant> expiresAt, OptionalLong contextTokens) {
    }

    /** @param diskBytes size of its files */
    public record InstalledModel(String name, OptionalLong diskBytes, Optional<String> quantization) {
    }
}
