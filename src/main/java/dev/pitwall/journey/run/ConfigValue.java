package dev.pitwall.journey.run;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value of a VM's configuration. Proxmox keeps values as they are sent, with one exception: {@code
 * local-lvm:1,efitype=4m} asks for a new disk of 1 GiB and is kept as {@code
 * local-lvm:vm-122-disk-1,efitype=4m,size=4M}.
 */
final class ConfigValue {
    private static final Pattern DISK = Pattern.compile("(?:efidisk|tpmstate|scsi|virtio|sata|ide)\\d+");
    private static final Pattern NEW_DISK = Pattern.compile("([^:,=]+):\\d+(?:\\.\\d+)?(?:,.*)?");

    private ConfigValue() {
    }

    /** True if setting the key to the value makes a disk, which takes longer than a plain call may (facts 1.1). */
    static boolean makesDisk(String key, String value) {
        return DISK.matcher(key).matches() && NEW_DISK.matcher(value).matches();
    }

    /** True if a key that was given {@code wanted} may show {@code now}. */
    static boolean same(String key, Optional<String> wanted, Optional<String> now) {
        if (wanted.equals(now)) {
            return true;
        }
        return wanted.isPresent() && now.isPresent() && makesDisk(key, wanted.get())
                && diskOf(wanted.get(), now.get());
    }

    private static boolean diskOf(String wanted, String now) {
        Matcher asked = NEW_DISK.matcher(wanted);
        return asked.matches() && !NEW_DISK.matcher(now).matches() && now.startsWith(asked.group(1) + ":");
    }
}
