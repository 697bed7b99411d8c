package dev.pitwall.journey.survey;

import dev.pitwall.card.Source;

/** What a survey rests on: the short names under which it is kept in {@code shown}, and how a person looks by hand. */
public enum Showing {
    LSPCI("lspci", "lspci -nnkD"),
    COMMAND_LINE("cmdline", "cat /proc/cmdline"),
    BOOT_ID("bootid", "cat /proc/sys/kernel/random/boot_id"),
    UPTIME("uptime", "cat /proc/uptime"),
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
    NICS("nics", "ls /sys/class/net"),
    FILES("files", "find /etc/modprobe.d /etc/modules-load.d"),
    VERSION("version", "pveversion"),

    /** Of one function. */
    STATE("state", "grep -rsH . /sys/bus/pci/devices"),
    /** Of one function. */
    BARS("bars", "lspci -v"),
    /** Of one function. */
    VERBOSE("lspci-vv", "lspci -vv"),
    /** Of one file: there only where it could not be read. */
    FILE("file", "cat"),

    GUESTS("guests", "GET /nodes/NODE/qemu"),
    CONTAINERS("containers", "GET /nodes/NODE/lxc"),
    BACKUPS("backups", "GET /cluster/backup"),
    /** Of a host all HA resources, of a VM its own. */
    HA("ha", "GET /cluster/ha/resources"),

    CONFIG("config", "GET /nodes/NODE/qemu/VMID/config"),
    LIVE("live", "GET /nodes/NODE/qemu/VMID/config?current=1"),
    PENDING("pending", "GET /nodes/NODE/qemu/VMID/pending"),
    STATUS("status", "GET /nodes/NODE/qemu/VMID/status/current"),
    AGENT("agent", "POST /nodes/NODE/qemu/VMID/agent/ping"),
    /** What the guest lists from its inside. */
    GUEST("guest", "POST /nodes/NODE/qemu/VMID/agent/exec command=lspci -nnk"),

    RELEASE("os-release", "cat /etc/os-release"),
    /** The running one. */
    KERNEL("kernel-release", "uname -r"),
    PACKAGES("packages", "dpkg-query -W"),
    OFFERED("offered", "apt-cache policy"),
    /** The key of a package source. */
    FETCHED("fetched", "curl"),
    DRIVER("driver", "cat /proc/driver/nvidia/version"),
    SMI("nvidia-smi", "nvidia-smi -q -x"),
    SECURE_BOOT("secure-boot", "mokutil --sb-state"),
    KEY("key", "mokutil --test-key"),
    NOUVEAU("nouveau", "modinfo -n nouveau"),
    BLACKLIST("blacklist", "grep -rsw nouveau /etc/modprobe.d"),
    SERVICES("services", "systemctl is-active"),
    RUNTIMES("runtimes", "find /usr/bin/nvidia-container-runtime"),
    CDI("cdi", "find /etc/cdi /var/run/cdi"),

    PERMISSIONS("permissions", "GET /access/permissions"),
    NODES("nodes", "GET /nodes"),
    MAPPINGS("mappings", "GET /cluster/mapping/pci"),
    NODE("node", "GET /nodes/NODE/status"),
    STORAGES("storages", "GET /nodes/NODE/storage"),
    /** Of one storage. */
    ISOS("isos", "GET /nodes/NODE/storage"),
    NEXT_ID("nextid", "GET /cluster/nextid");

    private final String key;
    private final String byHand;

    Showing(String key, String byHand) {
        this.key = key;
        this.byHand = byHand;
    }

    /** The name in {@code shown}, for example {@code lspci}. */
    public String key() {
        return key;
    }

    /** The name of what is shown of one function, file or storage, for example {@code state:0000:01:00.0}. */
    public String of(Object subject) {
        return key + ":" + subject;
    }

    /** The command or call, where the survey itself does not say it. */
    Source usual(String node, String vmid) {
        Source.Kind kind = byHand.matches("(?:GET|POST) .*") ? Source.Kind.PROXMOX : Source.Kind.SSH;
        return new Source(kind, node, byHand.replace("NODE", node).replace("VMID", vmid));
    }
}
