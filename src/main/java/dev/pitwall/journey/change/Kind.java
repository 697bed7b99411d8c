package dev.pitwall.journey.change;

import java.util.Locale;

/** What sort of thing a change alters. */
public enum Kind {
    FILE, COMMAND, API, MANIFEST, HELM, POWER;

    /** The stable name in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
