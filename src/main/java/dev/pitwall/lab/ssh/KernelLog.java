package dev.pitwall.lab.ssh;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The kernel's log since the last boot, computed from state. */
public final class KernelLog {
    /** @param after time since the kernel started */
    public record Line(Duration after, String text) {
        /** As dmesg prints it. */
        public String stamped() {
            return String.format(Locale.ROOT, "[%5d.%06d] %s", after.toSeconds(), after.toNanosPart() / 1000, text);
        }
    }

    private final MachineState m;
    private final LabTexts texts;
    private final List<Line> lines = new ArrayList<>();

    private KernelLog(MachineState machine, LabTexts texts) {
        this.m = machine;
        this.texts = texts;
    }

    static List<Line> of(MachineState machine, LabTexts texts) {
        KernelLog log = new KernelLog(machine, texts);
        log.early();
        log.iommu();
        machine.pci().forEach(log::device);
        log.late();
        log.said();
        log.lines.sort(Comparator.comparing(Line::after));
        return List.copyOf(log.lines);
    }

    private void at(int micros, String text) {
        lines.add(new Line(Duration.ofNanos(micros * 1000L), text));
    }

    private void early() {
        at(0, "Linux version " + m.kernel() + " " + texts.value("kernel-builder-" + m.osId()));
        at(1, "Command line: " + m.commandLine());
        if (m.firmware().efi()) {
            at(2, "efi: EFI v2.8 by " + m.board().vendor());
            at(3, m.firmware().secureBoot() ? "secureboot: Secure boot enabled" : "secureboot: Secure boot disabled");
        }
        if (m.firmware().secureBoot()) {
            at(4, "Kernel is locked down from EFI Secure Boot mode; see man kernel_lockdown.7");
        }
        at(5, "DMI: " + m.board().vendor() + " " + m.board().name());
        if (m.kind() == MachineState.Kind.GUEST) {
            at(6, "Hypervisor detected: KVM");
        }
        if (m.kernelOption("pcie_acs_override=downstream,multifunction")
                || m.kernelOption("pcie_acs_override=downstream")) {
            at(7, "Warning: PCIe ACS overrides enabled; This may allow non-IOMMU protected peer-to-peer DMA");
        }
        at(33_200, "Kernel command line: " + m.commandLine());
    }

    /**
     * The words {@code DMAR: IOMMU enabled} only mean that {@code intel_iommu=on} was read: they stand also with VT-d
     * off in firmware, and are missing where the kernel switches the IOMMU on by itself (facts: proxmox.md 2.1).
     */
    private void iommu() {
        if (m.kind() == MachineState.Kind.GUEST || m.kind() == MachineState.Kind.JUMP) {
            return;
        }
        boolean intel = m.cpu().vendor().equals("GenuineIntel");
        if (intel && m.firmware().iommu()) {
            at(19_693, "ACPI: DMAR 0x0000000041E6B000 000088 (v02 INTEL  EDK2     00000002      01000013)");
        }
        if (!intel && m.firmware().iommu()) {
            at(19_693, "ACPI: IVRS 0x0000000041E6B000 0000D0 (v02 AMD    AmdTable 00000001 AMD  00000001)");
        }
        if (intel && (m.kernelOption("intel_iommu=on") || m.kernelOption("intel_iommu=on,relax_rmrr"))) {
            at(33_133, "DMAR: IOMMU enabled");
        }
        if (!intel && m.kernelOption("amd_iommu=on")) {
            at(32_766, "AMD-Vi: Unknown option - 'on'");
        }
        if (m.iommuActive()) {
            activeIommu(intel);
        }
    }

    private void activeIommu(boolean intel) {
        int micros = intel ? 121_716 : 92_149;
        for (String line : texts.list(intel ? "dmesg-intel-active" : "dmesg-amd-active")) {
            at(micros, line);
            micros += 66_500;
        }
        for (PciView p : m.pci()) {
            if (p.iommuGroup() >= 0) {
                at(620_000 + p.iommuGroup() * 37, "pci " + p.address() + ": Adding to iommu group " + p.iommuGroup());
            }
        }
    }

    private void device(PciView p) {
        int base = 400_000 + Math.floorMod(p.address().hashCode(), 50_000);
        at(base, "pci " + p.address() + ": [" + p.vendorId() + ":" + p.deviceId() + "] type "
                + (p.isBridge() ? "01" : "00") + " class 0x" + p.classCode() + " "
                + (p.isBridge() ? "PCIe Root Port" : "PCIe Endpoint"));
        for (int i = 0; i < p.barLines().size(); i++) {
            at(base + 10 + i * 10, "pci " + p.address() + ": " + p.barLines().get(i));
        }
        int next = base + 10 + p.barLines().size() * 10;
        if (p.bootVga()) {
            at(540_000, "pci " + p.address() + ": vgaarb: setting as boot VGA device");
        }
        if (p.driver().equals("vfio-pci")) {
            if (p.classCode().startsWith("0300")) {
                at(4_100_000 + next % 1000, "vfio-pci " + p.address() + ": vgaarb: VGA decodes changed: "
                        + "olddecodes=io+mem,decodes=none:owns=none");
            }
            at(4_050_000 + next % 1000, "vfio_pci: add [" + p.vendorId() + ":" + p.deviceId()
                    + "[ffffffff:ffffffff]] class 0x000000/00000000");
        }
        boolean console = p.bootVga() && !m.kernelOption("initcall_blacklist=sysfb_init");
        if (p.driver().equals("vfio-pci") && console) {
            // The firmware's framebuffer holds the first large BAR of the card the console is on (facts: proxmox.md 2.6).
            PciBars.of(p).bars().stream().filter(PciBars.Bar::prefetchable).findFirst().ifPresent(bar ->
                    at(4_200_000 + next % 1000, "vfio-pci " + p.address() + ": BAR " + bar.index() + ": can't reserve "
                            + p.barLines().stream().filter(line -> line.startsWith("BAR " + bar.index() + " "))
                            .findFirst().map(line -> line.substring(line.indexOf('['))).orElse("")));
        }
        if (p.driver().equals("nouveau")) {
            at(3_900_000, "nouveau " + p.address() + ": NVIDIA " + p.deviceName());
        }
    }

    private void late() {
        if (m.isProxmox() || m.pci().stream().anyMatch(p -> p.driver().equals("vfio-pci"))) {
            at(4_000_000, "VFIO - User Level meta-driver version: 0.3");
        }
        Duration driver = since(m.driver().since());
        switch (m.driver().state()) {
            case "loaded" -> driverLoaded(driver);
            case "failed" -> {
                if (m.firmware().secureBoot()) {
                    lines.add(new Line(driver, "Loading of module with unavailable key is rejected"));
                }
            }
            default -> { }
        }
        m.cards().stream().filter(c -> c.lost() || c.lastXid() != 0).forEach(this::xid);
        m.pci().stream().filter(p -> p.gone() && p.driver().equals("vfio-pci")).forEach(this::lostOnHost);
    }

    /** What the kernel said since, unless it follows from the state anyway. */
    private void said() {
        List<String> there = lines.stream().map(Line::text).toList();
        m.system().lines().stream().filter(line -> !there.contains(line.text()))
                .forEach(line -> lines.add(new Line(since(line.at()), line.text())));
    }

    private void driverLoaded(Duration at) {
        String version = m.driver().version();
        lines.add(new Line(at, "nvidia: loading out-of-tree module taints kernel."));
        lines.add(new Line(at.plusMillis(3),
                "nvidia-nvlink: Nvlink Core is being initialized, major device number 236"));
        for (MachineState.CardView card : m.cards()) {
            lines.add(new Line(at.plusMillis(9), "nvidia " + card.function().address()
                    + ": enabling device (0000 -> 0003)"));
        }
        lines.add(new Line(at.plusMillis(120), "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  " + version));
        lines.add(new Line(at.plusMillis(190), "nvidia-modeset: Loading NVIDIA UNIX Open Kernel Mode Setting Driver "
                + "for x86_64  " + version));
        lines.add(new Line(at.plusMillis(260), "nvidia-uvm: Loaded the UVM driver, major device number 234."));
    }

    private void xid(MachineState.CardView card) {
        String slot = card.function().slot();
        Duration late = beforeNow(30);
        int number = card.lost() && card.lastXid() == 0 ? 79 : card.lastXid();
        String what = texts.list("xid").stream().filter(l -> l.startsWith(number + "|"))
                .map(l -> l.substring(l.indexOf('|') + 1)).findFirst().orElse("");
        lines.add(new Line(late, "NVRM: Xid (PCI:" + slot + "): " + number
                + ", pid='<unknown>', name=<unknown>" + (what.isEmpty() ? "" : ", " + what)));
        if (number == 79) {
            lines.add(new Line(late.plusMillis(1), "NVRM: GPU " + card.function().address()
                    + ": GPU has fallen off the bus."));
        }
    }

    private void lostOnHost(PciView p) {
        Duration late = beforeNow(90);
        int step = 0;
        for (String line : texts.list("dmesg-lost-card")) {
            lines.add(new Line(late.plusSeconds(step++), "vfio-pci " + p.address() + ": " + line));
        }
    }

    private Duration since(Instant moment) {
        Duration after = Duration.between(m.bootedAt(), moment);
        return after.compareTo(Duration.ofSeconds(8)) < 0 ? Duration.ofSeconds(8) : after;
    }

    private Duration beforeNow(long seconds) {
        Duration moment = m.uptime().minusSeconds(seconds);
        return moment.compareTo(Duration.ofSeconds(10)) < 0 ? Duration.ofSeconds(10) : moment;
    }
}
