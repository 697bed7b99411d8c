package dev.pitwall.journey.host;

import java.util.Optional;

/** Whose IOMMU a host has. */
enum Processor {
    INTEL("DMAR"), AMD("IVRS"), OTHER("");

    private final String table;

    Processor(String table) {
        this.table = table;
    }

    /** @param vendor as {@code /proc/cpuinfo} has it; Hygon's processors are AMD's */
    static Processor of(String vendor) {
        return switch (vendor) {
            case "GenuineIntel" -> INTEL;
            case "AuthenticAMD", "HygonGenuine" -> AMD;
            default -> OTHER;
        };
    }

    /** The ACPI table with which firmware reports its IOMMU (facts: proxmox.md 2.1). */
    Optional<String> table() {
        return table.isEmpty() ? Optional.empty() : Optional.of(table);
    }
}
