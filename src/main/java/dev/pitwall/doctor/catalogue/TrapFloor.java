package dev.pitwall.doctor.catalogue;

import dev.pitwall.card.Floor;

import java.util.Locale;
import java.util.Optional;

/**
 * The layer a cause sits in, from the bottom up, in the words of the trap vocabulary. It is finer than a card's tower, since
 * admission and scheduling are no floors of a card.
 */
public enum TrapFloor {
    FIRMWARE(Floor.FIRMWARE), VFIO(Floor.VFIO), VM(Floor.VM), TALOS(Floor.DRIVER), DRIVER(Floor.DRIVER),
    VALIDATOR(Floor.RUNTIME), TOOLKIT(Floor.RUNTIME), DISCOVERY(Floor.DISCOVERY), PLUGIN(Floor.PLUGIN),
    TELEMETRY(Floor.TELEMETRY), SCHEDULING(Floor.PROOF), ADMISSION(Floor.PROOF), WORKLOAD(Floor.SERVER);

    private final Floor floor;

    TrapFloor(Floor floor) {
        this.floor = floor;
    }

    /** The floor of a card's tower on which the cause shows first. */
    public Floor floor() {
        return floor;
    }

    /** The stable name in JSON and in the catalogue, for example {@code driver}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @return empty if there is no such layer */
    public static Optional<TrapFloor> named(String wireName) {
        for (TrapFloor floor : values()) {
            if (floor.wireName().equals(wireName)) {
                return Optional.of(floor);
            }
        }
        return Optional.empty();
    }
}
