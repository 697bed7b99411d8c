package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.kernel.KernelModules;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code /proc} as the kernel of that machine shows it. */
final class ProcFiles {
    /** 1920 × 1080 at 32 bits. */
    private static final long BOOT_FRAMEBUFFER_BYTES = 0x7e9000;

    private final MachineState m;
    private final List<KernelModules.Module> loaded;
    private final LabTexts texts;

    ProcFiles(MachineState machine, List<KernelModules.Module> loaded, LabTexts texts) {
        this.m = machine;
        this.loaded = loaded;
        this.texts = texts;
    }

    void add(FileTree tree) {
        tree.proc("/proc/cmdline", () -> m.commandLine() + "\n").proc("/proc/uptime", this::uptime)
                .proc("/proc/version", () -> version() + "\n").proc("/proc/meminfo", this::memory)
                .proc("/proc/cpuinfo", this::cpus).proc("/proc/modules", this::modules)
                .proc("/proc/fb", this::framebuffers).proc("/proc/iomem", this::memoryMap)
                // The lab schedules nothing: of its processes it counts the one that asks.
                .proc("/proc/loadavg", () -> m.loadAverage() + " 1/1 1\n")
                .proc("/proc/filesystems", () -> "nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\n\text4\n\tvfat\n")
                .proc("/proc/mounts", () -> "/dev/mapper/root / ext4 rw,relatime 0 0\n")
                .proc("/proc/sys/kernel/random/boot_id", () -> BootIds.of(m.name(), m.bootedAt()) + "\n")
                .proc("/proc/sys/kernel/osrelease", () -> m.kernel() + "\n")
                .proc("/proc/sys/kernel/hostname", () -> m.name() + "\n");
        if (m.driver().loaded()) {
            nvidia(tree);
        }
    }

    private void nvidia(FileTree tree) {
        tree.proc("/proc/driver/nvidia/version", () -> texts.file("nvidia-version.txt")
                .replace("${version}", m.driver().version()));
        for (MachineState.CardView card : m.cards()) {
            String minor = Integer.toString(m.cards().indexOf(card));
            tree.proc("/proc/driver/nvidia/gpus/" + card.function().address() + "/information",
                    () -> String.format(Locale.ROOT, "Model: \t\t %s%nIRQ:   \t\t 40%nGPU UUID: \t %s%n"
                            + "Video BIOS: \t ??.??.??.??.??%nBus Type: \t PCIe%nBus Location: \t %s%n"
                            + "Device Minor: \t %s%nGPU Excluded:\t No%n", card.product(), card.uuid(),
                            card.function().address(), minor));
            tree.put("/dev/nvidia" + minor, Entry.kernel(0666, 0, () -> ""));
        }
        tree.put("/dev/nvidiactl", Entry.kernel(0666, 0, () -> ""))
                .put("/dev/nvidia-uvm", Entry.kernel(0666, 0, () -> ""));
    }

    private String uptime() {
        double seconds = m.uptime().toMillis() / 1000.0;
        return String.format(Locale.ROOT, "%.2f %.2f%n", seconds, seconds * (m.cpu().threads() - m.busyThreads()));
    }

    private String version() {
        return "Linux version " + m.kernel() + " " + texts.value("kernel-builder-" + m.osId());
    }

    private String memory() {
        long total = m.memoryBytes() / 1024;
        return String.format(Locale.ROOT, "MemTotal:       %8d kB%nMemFree:        %8d kB%nMemAvailable:   %8d kB%n"
                + "SwapTotal:      %8d kB%nSwapFree:       %8d kB%n", total, total / 3, total / 2, 8388604, 8388604);
    }

    private String cpus() {
        StringBuilder out = new StringBuilder();
        String virtualization = m.cpu().vendor().equals("AuthenticAMD") ? " svm" : " vmx";
        for (int i = 0; i < m.cpu().threads(); i++) {
            out.append("processor\t: ").append(i).append("\nvendor_id\t: ").append(m.cpu().vendor())
                    .append("\nmodel name\t: ").append(m.cpu().model()).append("\ncpu cores\t: ")
                    .append(m.cpu().threads()).append("\nflags\t\t: fpu vme de pse tsc msr pae mce cx8 apic sse sse2 ht")
                    .append(m.kind() == MachineState.Kind.GUEST ? " hypervisor" : "")
                    .append(m.firmware().virtualization() ? virtualization : "").append(" aes avx avx2\n\n");
        }
        return out.toString();
    }

    private String modules() {
        return loaded.stream().map(k -> k.name() + " " + k.size() + " " + k.users() + " "
                        + (k.usedBy().isEmpty() ? "-" : k.usedBy() + ",") + " Live 0x0000000000000000\n")
                .collect(Collectors.joining());
    }

    /** The boot framebuffer is there until a graphics driver or vfio-pci takes the boot display. */
    private String framebuffers() {
        if (m.kernelOption("initcall_blacklist=sysfb_init")) {
            return "";
        }
        return m.pci().stream().filter(PciView::bootVga).findFirst()
                .map(p -> switch (p.driver()) {
                    case "i915" -> "0 i915drmfb\n";
                    case "amdgpu" -> "0 amdgpudrmfb\n";
                    case "nouveau" -> "0 nouveaudrmfb\n";
                    case "bochs-drm" -> "0 bochs-drmdrmfb\n";
                    default -> "0 simpledrmdrmfb\n";
                }).orElse("");
    }

    private String memoryMap() {
        StringBuilder out = new StringBuilder("00000000-00000fff : Reserved\n00001000-0009efff : System RAM\n"
                + "00100000-3fffffff : System RAM\n");
        boolean framebuffer = framebuffers().contains("simpledrm");
        for (PciView p : m.pci()) {
            for (PciBars.Bar bar : PciBars.of(p).bars()) {
                if (bar.io()) {
                    continue;
                }
                out.append(String.format(Locale.ROOT, "  %08x-%08x : %s%n", bar.start(), bar.end(), p.address()));
                if (p.bootVga() && framebuffer && bar.prefetchable()) {
                    out.append(String.format(Locale.ROOT, "    %08x-%08x : BOOTFB%n", bar.start(),
                            bar.start() + BOOT_FRAMEBUFFER_BYTES - 1));
                    framebuffer = false;
                } else if (!p.driver().isEmpty()) {
                    out.append(String.format(Locale.ROOT, "    %08x-%08x : %s%n", bar.start(), bar.end(), p.driver()));
                }
            }
        }
        return out.toString();
    }
}
