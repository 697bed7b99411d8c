package dev.pitwall.lab.ssh;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a boot takes with it. Options for vfio-pci act from the initramfs: a file under /etc/modprobe.d changes nothing
 * until the image is rebuilt and the machine has booted from it (facts: proxmox.md 2.3).
 *
 * <p>At the lab's start the files on the disk, the image and the running kernel agree.
 */
public final class BootImage {
    private Map<String, byte[]> image;
    private ModuleOptions running;
    private Instant bootedAt;

    BootImage(MachineState atStart) {
        image = modprobeFiles(atStart.overlay());
        running = ModuleOptions.of(image);
        bootedAt = atStart.bootedAt();
    }

    /** Options in effect since the last boot. */
    public synchronized ModuleOptions running(MachineState now) {
        if (!now.bootedAt().equals(bootedAt)) {
            bootedAt = now.bootedAt();
            running = ModuleOptions.of(image);
        }
        return running;
    }

    /** Takes the files as they are into the image, as {@code update-initramfs -u} does. */
    public synchronized void rebuild(MachineState now) {
        running(now);
        image = modprobeFiles(now.overlay());
    }

    private static Map<String, byte[]> modprobeFiles(Map<String, byte[]> files) {
        Map<String, byte[]> kept = new TreeMap<>();
        files.forEach((path, bytes) -> {
            if (path.startsWith("/etc/modprobe.d/")) {
                kept.put(path, bytes);
            }
        });
        return kept;
    }
}
