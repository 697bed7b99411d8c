package dev.pitwall.card;

import java.util.Locale;

/** What a floor is doing. The order is the order of the filters on the Garage, not a severity. */
public enum FloorState {
    /** Works, and a reading proves it. */
    OK,
    /** Something normal is still in progress, here or on a floor below. */
    WAITING,
    /** Broken; somebody has to act. */
    FAILING,
    /** Kept from working by an owner or a floor below, without being broken itself. */
    BLOCKED,
    /** Nobody could look: the source is down or not configured. */
    UNKNOWN,
    /** This card has no such floor, for example a VM on bare metal. */
    NOT_APPLICABLE;

    /** The stable name used in JSON, for example {@code not-applicable}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
