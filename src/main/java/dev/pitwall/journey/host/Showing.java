package dev.pitwall.journey.host;

/** What a host survey shows of a whole host, by the short names of {@code HostSurvey.shown}. */
enum Showing {
    LSPCI("lspci", "lspci -nnkD"),
    COMMAND_LINE("cmdline", "cat /proc/cmdline"),
    UNITS("iommu", "ls /sys/class/iommu"),
    GROUPS("groups", "find /sys/kernel/iommu_groups -type l"),
    TABLES("acpi", "ls /sys/firmware/acpi/tables"),
    CPU("cpu", "cat /proc/cpuinfo"),
    BOARD("board", "cat /sys/class/dmi/id/board_vendor /sys/class/dmi/id/board_name"),
    BOOT_TOOL("boottool", "proxmox-boot-tool status"),
    KERNEL_LOG("kernel", "journalctl -k -b"),
    MODULES("modules", "lsmod"),
    PARAMETERS("parameters", "grep -s . /sys/module/vfio_pci/parameters/*"),
    IOMEM("iomem", "cat /proc/iomem"),
    GUESTS("guests", "GET /nodes/NODE/qemu"),
    CONTAINERS("containers", "GET /nodes/NODE/lxc"),
    NICS("nics", "ls /sys/class/net");

    private final String key;
    private final String command;

    Showing(String key, String command) {
        this.key = key;
        this.command = command;
    }

    String key() {
        return key;
    }

    /** How a person looks by hand, where the survey does not say it. */
    String command(String node) {
        return command.replace("NODE", node);
    }
}
