package dev.pitwall.ui.icon;

import java.util.Locale;

/** The colour of a mark, in words. The mark's shape says the same. */
public enum Tone {
    GREY, OK, ACT, BLOCKED, FAILING;

    /** Name of its CSS pseudo-class. */
    public String pseudo() {
        return this == ACT ? "waiting" : name().toLowerCase(Locale.ROOT);
    }
}
