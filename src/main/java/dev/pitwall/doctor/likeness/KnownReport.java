package dev.pitwall.doctor.likeness;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A public report with an established cause, or the catalogue's page of a cause.
 *
 * @param cause  name of the trap; {@link #HEALTHY} for what looks alarming and is no trouble of a card
 * @param source address of the report; {@link #PAGE} of a page
 * @param counts its terms, and how often each is there
 */
record KnownReport(String cause, String source, Map<String, Integer> counts) {
    static final String HEALTHY = "none";
    static final String PAGE = "page";

    KnownReport {
        counts = Map.copyOf(counts);
    }

    boolean isPage() {
        return source.equals(PAGE);
    }

    /** @param line as {@link #line} has written it */
    static KnownReport read(String line) {
        String[] parts = line.split("\t", -1);
        Map<String, Integer> counts = new HashMap<>();
        for (String term : parts[2].split(" ")) {
            int colon = term.lastIndexOf(':');
            counts.put(colon < 0 ? term : term.substring(0, colon), colon < 0 ? 1 : Integer.parseInt(term.substring(colon + 1)));
        }
        return new KnownReport(parts[0], parts[1], counts);
    }

    /** The report as a line of the table. */
    String line() {
        StringBuilder line = new StringBuilder(cause).append('\t').append(source).append('\t');
        new TreeMap<>(counts).forEach((term, count) -> line.append(term).append(count > 1 ? ":" + count : "").append(' '));
        return line.toString().strip();
    }
}
