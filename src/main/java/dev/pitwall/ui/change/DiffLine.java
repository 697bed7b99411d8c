package dev.pitwall.ui.change;

/**
 * One line of a comparison.
 *
 * @param number from 1, in what will be; of a removed line, in what was
 */
record DiffLine(Sign sign, int number, String text) {

    enum Sign { SAME, ADDED, REMOVED }
}
