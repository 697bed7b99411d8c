package dev.pitwall.lab.prometheus;

import dev.pitwall.lab.world.LabCard;

import java.util.Locale;
import java.util.Optional;

/**
 * A card's figures at one moment, as DCGM reads them.
 *
 * @param index NVML's index on its node
 */
record CardSample(String id, int index, String uuid, String busId, String product, double smClock, double memoryClock,
                  double temperature, double power, double energy, double utilization, double memoryFree,
                  double memoryUsed, double memoryReserved, int lastXid, boolean lost) {

    static CardSample of(LabCard c, int index) {
        String address = c.guestAddress.isEmpty() ? c.slot : c.guestAddress;
        String withFunction = address.contains(".") ? address : address + ".0";
        return new CardSample(c.id, index, c.uuid, "0000" + withFunction.toUpperCase(Locale.ROOT), c.product,
                c.smClockMHz, c.memoryClockMHz, Math.round(c.temperatureC), c.powerW, c.energyMilliJoule,
                Math.round(c.utilizationPercent), Math.max(0, c.vramMiB - c.memoryUsedMiB - c.memoryReservedMiB),
                c.memoryUsedMiB, c.memoryReservedMiB, c.lastXid, c.lost);
    }

    /** The field's value; empty where DCGM has none, as for all but the Xid of a card that is gone. */
    Optional<Double> value(String field) {
        if (lost && !field.equals("DCGM_FI_DEV_XID_ERRORS")) {
            return Optional.empty();
        }
        return switch (field) {
            case "DCGM_FI_DEV_SM_CLOCK" -> Optional.of(smClock);
            case "DCGM_FI_DEV_MEM_CLOCK" -> Optional.of(memoryClock);
            case "DCGM_FI_DEV_GPU_TEMP" -> Optional.of(temperature);
            case "DCGM_FI_DEV_POWER_USAGE" -> Optional.of(power);
            case "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION" -> Optional.of(energy);
            case "DCGM_FI_DEV_GPU_UTIL" -> Optional.of(utilization);
            case "DCGM_FI_DEV_MEM_COPY_UTIL" -> Optional.of((double) Math.round(utilization * 0.75));
            case "DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "DCGM_FI_DEV_ENC_UTIL", "DCGM_FI_DEV_DEC_UTIL" -> Optional.of(0.0);
            case "DCGM_FI_DEV_XID_ERRORS" -> Optional.of((double) lastXid);
            case "DCGM_FI_DEV_FB_FREE" -> Optional.of(memoryFree);
            case "DCGM_FI_DEV_FB_USED" -> Optional.of(memoryUsed);
            case "DCGM_FI_DEV_FB_RESERVED" -> Optional.of(memoryReserved);
            default -> Optional.empty();
        };
    }
}
