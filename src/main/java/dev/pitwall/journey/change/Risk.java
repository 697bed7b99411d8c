package dev.pitwall.journey.change;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The worst that happens while a change is made, from nothing up. */
public enum Risk {
    NONE, RESTARTS_PODS, DRAINS_NODE, POWER_CYCLES_VM, REBOOTS_HOST;

    /** The stable name in JSON, for example {@code reboots-host}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The worst of them; {@link #NONE} of none. */
    public static Risk worst(Collection<? extends Change> changes) {
        return changes.stream().map(Change::risk).max(Comparator.naturalOrder()).orElse(NONE);
    }
}
