package dev.pitwall.ui.journal;

import java.util.Locale;

/** Which runs the list shows. */
enum RunFilter {
    ALL, UNDOABLE, STOPPED;

    String key() {
        return "journal." + name().toLowerCase(Locale.ROOT);
    }
}
