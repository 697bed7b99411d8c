package dev.pitwall.lab.world;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The disk that a machine boots from, as its API and its own shell both say it. A guest's is the drive of its VM. What no
 * scene tells, the disk of a physical machine and what an installed system takes of it, is the lab's own choice: see the
 * constants.
 *
 * @param diskBytes size of the disk
 * @param espBytes  of it for the EFI system partition; 0 with legacy firmware
 * @param usedBytes of the root file system
 */
public record RootDisk(long diskBytes, long espBytes, long usedBytes) {
    /** A physical machine's disk: what the installer leaves for the root of a small SSD. The lab's choice. */
    private static final long PHYSICAL_DISK = 95L << 30;
    /** What an installed system with its container images takes. The lab's choice; nothing in the lab fills a disk. */
    private static final long SYSTEM = 11L << 30;
    /** Installers of Proxmox VE and Ubuntu make an EFI system partition of about this size. */
    private static final long ESP = 1L << 30;
    /** ext4 keeps this share of its blocks for root (mke2fs's default). */
    private static final int RESERVED_PERCENT = 5;
    private static final Pattern SIZE = Pattern.compile("(?:^|,)size=(\\d+)([KMGT])(?:,|$)");

    /** @param efi it boots with EFI firmware */
    public static RootDisk ofPhysical(boolean efi) {
        return of(PHYSICAL_DISK, efi);
    }

    /** @param config of the VM as it runs; without a drive the disk has no size */
    public static RootDisk ofGuest(Map<String, String> config) {
        String order = config.getOrDefault("boot", "").replaceFirst("^order=", "");
        long bytes = Stream.concat(Stream.of(order.split(";")), List.of("scsi0", "virtio0", "sata0", "ide0").stream())
                .flatMap(drive -> Optional.ofNullable(config.get(drive)).stream()).mapToLong(RootDisk::size)
                .filter(size -> size > 0).findFirst().orElse(0);
        return of(bytes, config.getOrDefault("bios", "").equals("ovmf"));
    }

    private static RootDisk of(long bytes, boolean efi) {
        long esp = efi ? Math.min(ESP, bytes) : 0;
        return new RootDisk(bytes, esp, Math.min(SYSTEM, bytes - esp));
    }

    /** Bytes of a drive as its configuration says it, {@code local-lvm:vm-121-disk-0,size=160G}; 0 if it does not. */
    public static long size(String drive) {
        Matcher m = SIZE.matcher(drive);
        return m.find() ? Long.parseLong(m.group(1)) << 10 * ("KMGT".indexOf(m.group(2)) + 1) : 0;
    }

    /** Bytes of the root file system. */
    public long rootBytes() {
        return diskBytes - espBytes;
    }

    /** Bytes of it that somebody other than root can still write. */
    public long availableBytes() {
        return Math.max(0, rootBytes() - usedBytes - rootBytes() * RESERVED_PERCENT / 100);
    }
}
