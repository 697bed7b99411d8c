package dev.pitwall.lab.ssh.kernel;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which driver takes a device at boot. The initramfs decides what modprobe knows; modules named in a file are loaded
 * after the devices' own, unless that initramfs holds them (facts: proxmox.md 2.3).
 */
public final class DriverBinding {
    public static final String VFIO = "vfio-pci";

    private final ModprobeConfig config;
    private final Set<String> early;
    private final Set<String> late;
    private final Map<String, String> overrides;
    private final Set<String> installed;

    /**
     * @param config    of the initramfs
     * @param early     modules that the initramfs loads by name
     * @param late      modules that files of the disk name
     * @param overrides driver by address, as udev rules set it before a driver is chosen
     * @param installed modules on the disk beyond the kernel's own, such as {@code nvidia}
     */
    public DriverBinding(ModprobeConfig config, Set<String> early, Set<String> late, Map<String, String> overrides,
                         Set<String> installed) {
        this.config = config;
        this.early = early;
        this.late = late;
        this.overrides = overrides;
        this.installed = installed;
    }

    /**
     * A device that looks for its driver.
     *
     * @param usual   the kernel's own driver for it; empty for none
     * @param modules as {@code lspci} names them
     * @param grouped it has an IOMMU group, without which vfio-pci takes nothing
     */
    public record Device(String address, String id, String usual, List<String> modules, boolean nvidiaDisplay,
                         boolean grouped) {
    }

    /** The driver that has it when the boot is over; empty for none. */
    public String driverOf(Device device) {
        String override = overrides.getOrDefault(device.address(), "");
        if (!override.isEmpty()) {
            boolean taken = override.equals(VFIO) ? device.grouped() && (isNamed("vfio_pci") || vfioComesFirst(device))
                    : override.equals(device.usual()) && loadsUsual(device);
            return taken ? override : "";
        }
        if (wantsVfio(device) && vfioComesFirst(device)) {
            return VFIO;
        }
        // The NVIDIA module's alias matches as nouveau's does; whichever is not on a blacklist is loaded.
        if (device.nvidiaDisplay() && !loadsUsual(device) && installed.contains("nvidia")
                && !config.isBlacklisted("nvidia")) {
            return "nvidia";
        }
        if (loadsUsual(device)) {
            return device.usual();
        }
        return wantsVfio(device) && isNamed("vfio_pci") ? VFIO : "";
    }

    /** Modules in the kernel after the boot because a file names them. */
    public Set<String> named() {
        Set<String> all = new HashSet<>(early);
        all.addAll(late);
        all.removeIf(config::isRefused);
        return all;
    }

    private boolean wantsVfio(Device device) {
        String ids = config.options("vfio_pci").getOrDefault("ids", "");
        return device.grouped() && List.of(ids.split(",")).stream()
                .anyMatch(id -> device.id().equals(id) || id.startsWith(device.id() + ":"));
    }

    private boolean vfioComesFirst(Device device) {
        return early.contains("vfio_pci") || loadsUsual(device)
                && config.before(module(device)).contains("vfio_pci");
    }

    private boolean isNamed(String module) {
        return named().contains(module);
    }

    private boolean loadsUsual(Device device) {
        return !device.usual().isEmpty() && (device.modules().isEmpty() || !config.isBlacklisted(module(device)));
    }

    private static String module(Device device) {
        return module(device.usual(), device.modules());
    }

    /** The module behind a driver: of the same name where the device lists such a one, else the first it lists. */
    public static String module(String driver, List<String> modules) {
        String same = ModprobeConfig.name(driver);
        List<String> names = modules.stream().map(ModprobeConfig::name).toList();
        return names.contains(same) || names.isEmpty() ? same : names.getFirst();
    }
}
