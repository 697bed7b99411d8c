package dev.pitwall.card;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One observed fact.
 *
 * @param name   what was observed, in the words of the outside system, for example {@code iommu group}
 * @param value  the value as text with its unit; empty means "not available", which is never shown as 0
 * @param source where it was read
 * @param at     when it was read
 */
public record Reading(String name, Optional<String> value, Source source, Instant at) {

    public Reading {
        Objects.requireNonNull(name);
        Objects.requireNonNull(value);
        Objects.requireNonNull(source);
        Objects.requireNonNull(at);
    }

    /** A reading that has a value. */
    public static Reading of(String name, String value, Source source, Instant at) {
        return new Reading(name, Optional.of(value), source, at);
    }
}
