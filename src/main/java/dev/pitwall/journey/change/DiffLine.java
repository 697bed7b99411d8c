package dev.pitwall.journey.change;

/**
 * One line of a comparison.
 *
 * @param number from 1, in what will be; of a removed line, in what was
 */
public record DiffLine(Sign sign, int number, String text) {

    /** Whether the line stays, came or went. */
    public enum Sign { SAME, ADDED, REMOVED }
}
