package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.kernel.KernelModules;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** {@code /sys} as the kernel of that machine shows it. */
final class SysFiles {
    private final MachineState m;
    private final List<KernelModules.Module> loaded;
    private final FileTree tree;

    SysFiles(MachineState machine, List<KernelModules.Module> loaded, FileTree tree) {
        this.m = machine;
        this.loaded = loaded;
        this.tree = tree;
    }

    void add() {
        tree.directory("/sys/class/iommu").directory("/sys/kernel/iommu_groups").directory("/sys/bus/pci/devices")
                .directory("/sys/bus/pci/drivers").directory("/sys/firmware/acpi/tables");
        m.pci().forEach(this::device);
        drivers();
        iommu();
        firmware();
        boardIdentity();
        NetworkPorts.all(m).forEach(port -> tree.sys("/sys/class/net/" + port + "/operstate", "up"));
        modules();
        tree.put("/sys/kernel/security/lockdown", Entry.kernel(0644, 0, () -> m.firmware().secureBoot()
                ? "none [integrity] confidentiality\n" : "[none] integrity confidentiality\n"));
    }

    private void device(PciView p) {
        String bus = p.address().substring(0, 7);
        String real = "/sys/devices/pci" + bus + "/" + p.address();
        tree.link("/sys/bus/pci/devices/" + p.address(), "../../../devices/pci" + bus + "/" + p.address());
        tree.sys(real + "/vendor", "0x" + p.vendorId()).sys(real + "/device", "0x" + p.deviceId())
                .sys(real + "/class", "0x" + p.classCode()).sys(real + "/revision", "0x" + p.revision())
                .sys(real + "/subsystem_vendor", hex(p.subsystemVendor()))
                .sys(real + "/subsystem_device", hex(p.subsystemDevice()))
                .sys(real + "/enable", p.driver().isEmpty() ? "0" : "1")
                .sys(real + "/numa_node", "-1").sys(real + "/irq", p.driver().isEmpty() ? "0" : "16")
                .sys(real + "/d3cold_allowed", "1").sys(real + "/power_state", p.gone() ? "unknown" : p.powerState())
                .put(real + "/driver_override", Entry.kernel(0644, 4096,
                        () -> (p.override().isEmpty() ? "(null)" : p.override()) + "\n"))
                .put(real + "/remove", Entry.kernel(0220, 4096, () -> ""))
                .put(real + "/rescan", Entry.kernel(0220, 4096, () -> ""))
                .sys(real + "/modalias", modalias(p))
                .sys(real + "/power/runtime_status", p.powerState().equals("D0") ? "active" : "suspended")
                .sys(real + "/power/runtime_suspended_time",
                        p.powerState().equals("D0") ? "0" : Long.toString(m.uptime().toMillis()))
                .put(real + "/resource", Entry.kernel(0444, 4096, () -> PciBars.of(p).resourceFile()))
                .put(real + "/config", new Entry.Regular(0644, 4096, true, () -> PciBars.configHeader(p)));
        if (!p.resetMethods().isBlank()) {
            tree.sys(real + "/reset_method", p.resetMethods());
            tree.put(real + "/reset", Entry.kernel(0200, 4096, () -> ""));
        }
        if (p.classCode().startsWith("0300")) {
            tree.sys(real + "/boot_vga", p.bootVga() ? "1" : "0");
        }
        if (!p.driver().isEmpty()) {
            tree.link(real + "/driver", "../../../bus/pci/drivers/" + p.driver());
            tree.link("/sys/bus/pci/drivers/" + p.driver() + "/" + p.address(),
                    "../../../../devices/pci" + bus + "/" + p.address());
        }
        if (p.iommuGroup() >= 0 && m.iommuActive()) {
            tree.link(real + "/iommu_group", "../../../kernel/iommu_groups/" + p.iommuGroup());
            String group = "/sys/kernel/iommu_groups/" + p.iommuGroup();
            tree.link(group + "/devices/" + p.address(), "../../../../devices/pci" + bus + "/" + p.address());
            tree.sys(group + "/type", m.kernelOption("iommu=pt") ? "identity" : "DMA-FQ");
        }
    }

    /** A driver's folder is there while its module is, whether or not it has a device. */
    private void drivers() {
        Set<String> drivers = new HashSet<>();
        m.pci().stream().map(PciView::driver).filter(driver -> !driver.isEmpty()).forEach(drivers::add);
        loaded.stream().map(KernelModules.Module::name).map(name -> name.equals("vfio_pci") ? "vfio-pci" : name)
                .filter(name -> List.of("vfio-pci", "nouveau", "nvidia", "snd_hda_intel").contains(name))
                .forEach(drivers::add);
        for (String driver : drivers) {
            for (String attribute : List.of("bind", "unbind", "new_id", "remove_id")) {
                tree.put("/sys/bus/pci/drivers/" + driver + "/" + attribute, Entry.kernel(0200, 4096, () -> ""));
            }
        }
        tree.put("/sys/bus/pci/rescan", Entry.kernel(0200, 4096, () -> ""))
                .put("/sys/bus/pci/drivers_probe", Entry.kernel(0200, 4096, () -> ""));
    }

    private static String modalias(PciView p) {
        String c = p.classCode();
        return String.format(Locale.ROOT, "pci:v0000%sd0000%ssv0000%ssd0000%sbc%ssc%si%s", upper(p.vendorId()),
                upper(p.deviceId()), upper(p.subsystemVendor()), upper(p.subsystemDevice()), upper(c.substring(0, 2)),
                upper(c.substring(2, 4)), upper(c.substring(4)));
    }

    private static String upper(String hex) {
        return (hex.isEmpty() ? "0000" : hex).toUpperCase(Locale.ROOT);
    }

    private static String hex(String digits) {
        return "0x" + (digits.isEmpty() ? "0000" : digits);
    }

    private void iommu() {
        if (m.iommuActive()) {
            String unit = intel() ? "dmar" : "ivhd";
            int units = intel() ? 2 : 1;
            for (int i = 0; i < units; i++) {
                tree.link("/sys/class/iommu/" + unit + i, "../../devices/virtual/iommu/" + unit + i);
                tree.directory("/sys/devices/virtual/iommu/" + unit + i + "/devices");
            }
        }
        boolean table = m.firmware().iommu() && m.kind() != MachineState.Kind.GUEST;
        if (table) {
            tree.put("/sys/firmware/acpi/tables/" + (intel() ? "DMAR" : "IVRS"),
                    Entry.kernel(0400, 136, () -> intel() ? "DMAR" : "IVRS"));
        }
        for (String name : List.of("DSDT", "FACP", "APIC", "MCFG")) {
            tree.put("/sys/firmware/acpi/tables/" + name, Entry.kernel(0400, 4096, () -> name));
        }
    }

    private boolean intel() {
        return m.cpu().vendor().equals("GenuineIntel");
    }

    private void firmware() {
        if (m.firmware().efi()) {
            tree.sys("/sys/firmware/efi/fw_platform_size", "64");
            String variable = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
            tree.put(variable, new Entry.Regular(0644, 5, true,
                    () -> new byte[] {6, 0, 0, 0, (byte) (m.firmware().secureBoot() ? 1 : 0)}));
        }
    }

    private void boardIdentity() {
        String dmi = "/sys/class/dmi/id/";
        tree.sys(dmi + "board_vendor", m.board().vendor()).sys(dmi + "board_name", m.board().name())
                .sys(dmi + "sys_vendor", m.board().vendor())
                .sys(dmi + "product_name", m.kind() == MachineState.Kind.GUEST ? "Standard PC (Q35 + ICH9, 2009)"
                        : m.board().name());
        if (!m.productUuid().isEmpty()) {
            tree.put(dmi + "product_uuid", Entry.kernel(0400, 4096, () -> m.productUuid() + "\n"));
        }
    }

    private void modules() {
        for (KernelModules.Module module : loaded) {
            tree.sys("/sys/module/" + module.name() + "/refcnt", Integer.toString(module.users()))
                    .sys("/sys/module/" + module.name() + "/initstate", "live");
        }
        if (tree.get("/sys/module/vfio_pci").isPresent()) {
            String parameters = "/sys/module/vfio_pci/parameters/";
            tree.sys(parameters + "ids", option("vfio_pci", "ids"));
            for (String name : List.of("disable_idle_d3", "disable_vga", "nointxmask")) {
                tree.sys(parameters + name, flag("vfio_pci", name));
            }
            tree.sys("/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts",
                    flag("vfio_iommu_type1", "allow_unsafe_interrupts"));
        }
        if (m.driver().loaded()) {
            tree.sys("/sys/module/nvidia/version", m.driver().version());
        }
    }

    private String option(String module, String name) {
        return m.system().options().getOrDefault(module, Map.of()).getOrDefault(name, "");
    }

    /** A boolean parameter as the kernel shows it. */
    private String flag(String module, String name) {
        return option(module, name).matches("[1yY].*") ? "Y" : "N";
    }
}
