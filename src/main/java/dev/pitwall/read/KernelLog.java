package dev.pitwall.read;

import dev.pitwall.card.PciAddress;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** What kernel lines say about IOMMU, BARs, passthrough and the NVIDIA driver. */
public record KernelLog(Iommu iommu, List<Bar> bars, List<Event> events, List<String> notes) implements Understood {
    public KernelLog {
        bars = List.copyOf(bars);
        events = List.copyOf(events);
        notes = List.copyOf(notes);
    }

    /** What the lines prove of the IOMMU. */
    public enum IommuState {
        /** A line stands there that only an initialised IOMMU prints. */
        ACTIVE,
        /**
         * The kernel read the option, but no unit was reported: so it looks with VT-d off in firmware, where the line
         * "IOMMU enabled" stands all the same (facts: strongtz/i915-sriov-dkms#339).
         */
        OPTION_ONLY,
        /** A line says that it is off. */
        OFF,
        /** The lines do not tell. */
        UNKNOWN;

        /** The stable name in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * @param vendor             {@code intel} or {@code amd}
     * @param interruptRemapping true if a line says so; empty if none does
     * @param acsOverride        true if the groups are split by {@code pcie_acs_override}
     */
    public record Iommu(IommuState state, Optional<String> vendor, Optional<Boolean> interruptRemapping,
                        Optional<Boolean> acsOverride) {
    }

    /**
     * @param name  for example {@code BAR 1}, {@code VF BAR 0} or {@code ROM}
     * @param type  {@code mem} or {@code io}
     * @param start first address
     * @param bytes size
     */
    public record Bar(int line, PciAddress address, String name, String type, long start, long bytes,
                      boolean wide, boolean prefetchable) {
    }

    /**
     * One line that means something.
     *
     * @param what   stable name of what it means, from the table of kernel lines
     * @param number Xid, BAR, milliseconds or error number, as the line has it
     * @param value  what else the line names
     * @param text   the line without time and host
     */
    public record Event(int line, String what, Optional<PciAddress> address, OptionalInt number,
                        Optional<String> value, String text) {
    }

    @Override
    public Kind kind() {
        return Kind.DMESG;
    }
}
