package dev.pitwall.ui.search;

/**
 * Something that can be found.
 *
 * @param title    what is matched and shown first
 * @param detail   what is matched too and shown after it
 * @param run      what choosing it does
 */
public record SearchEntry(Kind kind, String title, String detail, Runnable run) {

    /** In the order in which equally good matches are listed. */
    public enum Kind { CARD, NODE, VM, MODEL, FINDING, TRAP, ACTION }
}
