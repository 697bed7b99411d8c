package dev.pitwall.ui.change;

/** How loud a chip is. */
public enum Severity {
    /** There is nothing to warn of: no chip. */
    NONE,
    /** Something restarts and comes back by itself. */
    PLAIN,
    /** Something stops, or is gone for good. */
    WARNING
}
