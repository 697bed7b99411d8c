package dev.pitwall.ui.theme;

/** What the person chose. */
public enum ThemeChoice {
    /** As the operating system has it, and changing with it. */
    SYSTEM, DARK, LIGHT
}
