package dev.pitwall.lab.world;

import java.time.Instant;

/**
 * A backup of a VM.
 *
 * @param volume {@code local:backup/vzdump-qemu-121-2026_01_31-02_00_05.vma.zst}
 * @param host   where it lies
 */
public record LabBackup(String volume, String host, int vmid, long bytes, Instant madeAt, String notes) {
}
