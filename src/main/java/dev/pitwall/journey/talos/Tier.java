package dev.pitwall.journey.talos;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The two lines of NVIDIA drivers that every Talos release has extensions of; modules and toolkit must be of the same one. */
public enum Tier {
    PRODUCTION, LTS;

    /** As extension names end in it, and as it is chosen. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Tier> of(String word) {
        return Arrays.stream(values()).filter(tier -> tier.word().equals(word)).findFirst();
    }
}
