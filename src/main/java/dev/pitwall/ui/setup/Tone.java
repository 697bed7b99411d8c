package dev.pitwall.ui.setup;

import java.util.Locale;

/** The colour of a mark, in words. The mark's shape says the same. */
enum Tone {
    GREY, OK, ACT, BLOCKED, FAILING;

    /** Name of its CSS pseudo-class. */
    String pseudo() {
        return this == ACT ? "waiting" : name().toLowerCase(Locale.ROOT);
    }
}
