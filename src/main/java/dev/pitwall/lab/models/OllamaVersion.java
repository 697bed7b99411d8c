package dev.pitwall.lab.models;

import java.util.Arrays;

/** What changed between versions of Ollama that a client has to bear with (facts: models.md 5.7). */
record OllamaVersion(int minor, int patch) {
    /** @param version for example {@code 0.33.0}; what cannot be read counts as new */
    static OllamaVersion of(String version) {
        int[] parts = Arrays.stream(version.split("[^0-9]+")).filter(part -> !part.isEmpty()).mapToInt(Integer::parseInt)
                .toArray();
        return parts.length < 2 ? new OllamaVersion(Integer.MAX_VALUE, 0)
                : new OllamaVersion(parts[0] > 0 ? Integer.MAX_VALUE : parts[1], parts.length > 2 ? parts[2] : 0);
    }

    private boolean isAtLeast(int otherMinor, int otherPatch) {
        return minor > otherMinor || minor == otherMinor && patch >= otherPatch;
    }

    boolean hasContextLength() {
        return isAtLeast(9, 7);
    }

    /** Up to 0.29 a model that is being loaded stands in {@code /api/ps}. */
    boolean showsLoading() {
        return !isAtLeast(30, 0);
    }

    /** They came on 2026-05-19, after 0.24. */
    boolean hasCapabilities() {
        return isAtLeast(30, 0);
    }
}
