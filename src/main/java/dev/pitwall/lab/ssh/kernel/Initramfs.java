package dev.pitwall.lab.ssh.kernel;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The part of a disk that an initramfs takes along, and the modules that files name. */
public final class Initramfs {
    /** A copy of such a folder elsewhere, in a backup, is none. */
    private static final List<String> PACKED = List.of("/etc/modprobe.d/", "/run/modprobe.d/", "/lib/modprobe.d/",
            "/usr/lib/modprobe.d/", "/usr/local/lib/modprobe.d/", "/etc/udev/rules.d/");
    private static final String OWN_MODULES = "/etc/initramfs-tools/modules";

    private Initramfs() {
    }

    /** What {@code update-initramfs} packs of a disk's files. */
    public static Map<String, byte[]> of(Map<String, byte[]> files) {
        Map<String, byte[]> image = new TreeMap<>();
        files.forEach((path, bytes) -> {
            if (PACKED.stream().anyMatch(path::startsWith) || path.equals(OWN_MODULES)) {
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
            if (path.equals("/etc/modules") || path.endsWith(".conf")
                    && path.matches("/(etc|run|lib|usr/lib|usr/local/lib)/modules-load.d/.*")) {
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
