package dev.pitwall.ui.journal;

/** A row of the list. */
sealed interface Entry {

    /** The head of a day. */
    record Day(String name) implements Entry {
    }

    record Run(RunLine line) implements Entry {
    }
}
