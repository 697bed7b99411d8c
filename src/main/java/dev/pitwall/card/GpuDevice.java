package dev.pitwall.card;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A GPU as NVML (nvidia-smi) or DCGM reports it. Absent figures are empty, never 0.
 *
 * @param index              NVML's index on its machine
 * @param name               for example {@code NVIDIA RTX A1000}
 * @param uuid               {@code GPU-…}
 * @param busId              address in the machine that sees it (in a VM: the guest's)
 * @param memoryTotalMiB     for DCGM: used + free + reserved, since it exports no total
 * @param utilizationPercent 0 to 100
 * @param temperatureC       core temperature in degrees Celsius
 * @param powerW             draw in watts
 * @param lastXid            number of the last Xid error, not a count; 0 or empty means none
 */
public record GpuDevice(OptionalInt index, Optional<String> name, Optional<String> uuid, Optional<PciAddress> busId,
                        Optional<String> driverVersion, OptionalLong memoryTotalMiB, OptionalLong memoryUsedMiB,
                        OptionalDouble utilizationPercent, OptionalDouble temperatureC, OptionalDouble powerW,
                        OptionalInt lastXid) {
}
