package dev.pitwall.doctor.sign;

import java.util.List;

/**
 * A line of evidence where it was found.
 *
 * @param from   name of the document
 * @param number of the line in it, from 1; 0 for a document that has no lines, such as an object read from an API
 * @param text   the line, cut to a length that can be shown
 * @param before lines right before it
 * @param after  lines right after it
 */
public record Cited(String from, long number, String text, List<String> before, List<String> after) {
    public Cited {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** A line without its surroundings. */
    public Cited(String from, long number, String text) {
        this(from, number, text, List.of(), List.of());
    }
}
