package dev.pitwall.doctor.likeness;

import java.util.Map;

/**
 * A public report with an established cause.
 *
 * @param cause  name of the trap; {@link #HEALTHY} for what looks alarming and is no trouble of a card
 * @param source address of the report
 * @param counts its words and signs, and how often each is there
 */
record KnownReport(String cause, String source, Map<String, Integer> counts) {
    static final String HEALTHY = "none";

    KnownReport {
        counts = Map.copyOf(counts);
    }
}
