package dev.pitwall.read;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One revision of a Helm release.
 *
 * @param status   for example {@code deployed}; a {@code pending-…} newest revision blocks the next operation
 * @param settings the values the user gave, by dotted path; secrets are masked
 */
public record HelmRelease(Optional<String> name, Optional<String> namespace, OptionalInt revision,
                          Optional<String> status, Optional<String> chart, Optional<String> chartVersion,
                          Optional<String> appVersion, Optional<Instant> lastDeployed, Optional<String> description,
                          Map<String, String> settings, List<String> notes) implements Understood {
    public HelmRelease {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        notes = List.copyOf(notes);
    }

    @Override
    public Kind kind() {
        return Kind.HELM_RELEASE;
    }
}
