package dev.pitwall.lab.ssh.kernel;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The part of a disk that an initramfs takes along, and the modules that files name. */
public final class Initramfs {
    private static final String OWN_MODULES = "/etc/initramfs-tools/modules";

    private Initramfs() {
    }

    /** What {@code update-initramfs} packs of a disk's files. */
    public static Map<String, byte[]> of(Map<String, byte[]> files) {
        Map<String, byte[]> image = new TreeMap<>();
        files.forEach((path, bytes) -> {
            if (path.contains("/modprobe.d/") || path.startsWith("/etc/udev/rules.d/") || path.equals(OWN_MODULES)) {
                image.put(path, bytes.clone());
            }
        });
        return image;
    }

    /** Modules that an image loads by name. */
    static Set<String> early(Map<String, byte[]> image) {
        return names(Kernels.text(image, OWN_MODULES));
    }

    /** Modules that the disk's {@code /etc/modules} and {@code modules-load.d} name. */
    public static Set<String> late(Map<String, byte[]> files) {
        Set<String> names = new HashSet<>();
        files.forEach((path, bytes) -> {
            if (path.equals("/etc/modules") || path.contains("/modules-load.d/") && path.endsWith(".conf")) {
                names.addAll(names(Kernels.text(files, path)));
            }
        });
        return names;
    }

    private static Set<String> names(String text) {
        Set<String> names = new HashSet<>();
        text.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .flatMap(line -> Arrays.stream(line.split("\\s+")).limit(1)).map(ModprobeConfig::name)
                .forEach(names::add);
        return names;
    }
}
