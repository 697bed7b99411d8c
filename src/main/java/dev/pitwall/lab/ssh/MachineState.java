package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.RootDisk;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One machine as it is at one instant: all that its files and commands are computed from. A copy, so that it can be
 * used outside the world's lock.
 *
 * @param osId          {@code proxmox}, {@code ubuntu}, …: names the machine's texts in {@code resources/lab/ssh}
 * @param productUuid   lower case, as {@code /sys/class/dmi/id/product_uuid} prints it; may be empty
 * @param address       its address in the imitated network
 * @param commandLine   {@code /proc/cmdline} of this boot
 * @param driver        the NVIDIA kernel module
 * @param toolkitReady  the container runtime knows the {@code nvidia} handler
 * @param cards         cards in this machine that a loaded NVIDIA driver holds or could hold, in bus order
 * @param vms           VMs of a Proxmox host; empty elsewhere
 * @param overlay       files that differ from what is computed
 * @param system        what its operating system keeps
 * @param busyThreads   threads of it that are kept busy
 * @param disk          what it boots from
 */
public record MachineState(String name, Kind kind, String osId, String osImage, String kernel, String commandLine,
                           Instant now, Instant bootedAt, String address, Cpu cpu, long memoryBytes, Board board,
                           String productUuid, Firmware firmware, boolean iommuActive, List<PciView> pci,
                           NvidiaDriver driver, boolean toolkitReady, String containerRuntime, String kubelet,
                           String pveVersion, List<CardView> cards, List<VmView> vms, Map<String, byte[]> overlay,
                           SystemView system, double busyThreads, RootDisk disk) {

    /** What sort of machine this is; decides which commands and files it has. */
    public enum Kind {
        PROXMOX_HOST, GUEST, METAL_NODE, JUMP;

        /** True for a machine that runs a kubelet. */
        public boolean isNode() {
            return this == GUEST || this == METAL_NODE;
        }
    }

    public record Cpu(String vendor, String model, int threads) {
    }

    public record Board(String vendor, String name) {
    }

    public record Firmware(boolean efi, boolean secureBoot, boolean virtualization, boolean iommu, boolean above4g) {
    }

    /**
     * @param state {@code absent}, {@code compiling}, {@code loaded} or {@code failed}
     */
    public record NvidiaDriver(String state, String version, Instant since) {
        public boolean loaded() {
            return state.equals("loaded");
        }
    }

    /**
     * A card as NVML would see it here. Units: MiB, watts, degrees Celsius, MHz, percent.
     *
     * @param function the address of its display function in this machine
     */
    public record CardView(String product, String uuid, PciView function, long vramMiB, long usedMiB, long reservedMiB,
                           double temperatureC, double powerW, double powerLimitW, double utilizationPercent,
                           int smClockMHz, int memoryClockMHz, int lastXid, boolean lost, List<Process> processes) {
        /** Memory nobody holds, in MiB. */
        public long freeMiB() {
            return Math.max(0, vramMiB - usedMiB - reservedMiB);
        }

        public record Process(int pid, String name, long usedMiB) {
        }
    }

    /** @param config Proxmox keys and values, pending changes applied */
    public record VmView(int vmid, int pid, String status, String lock, Instant startedAt, Map<String, String> config,
                         Map<String, String> running) {
    }

    /**
     * A copy of {@link LabSystem}; its maps and lists are as there.
     *
     * @param options  module options in effect
     * @param lines    kernel lines of this boot that follow from what was done
     */
    public record SystemView(Map<String, Integer> folders, Map<String, String> links, Map<String, Integer> modes,
                             Map<String, Instant> changed, Set<String> removed,
                             Map<String, Map<String, String>> options, Set<String> inserted, Set<String> withdrawn,
                             List<LabSystem.KernelLine> lines, Map<String, LabSystem.InstalledPackage> packages,
                             Map<String, LabSystem.NvidiaModule> nvidiaModules, Set<String> ownerKeys,
                             String runtimeConfig) {
        static SystemView of(LabSystem s) {
            return new SystemView(Map.copyOf(s.folders), Map.copyOf(s.links), Map.copyOf(s.modes),
                    Map.copyOf(s.changed), Set.copyOf(s.removed), Map.copyOf(s.moduleOptions), Set.copyOf(s.inserted),
                    Set.copyOf(s.withdrawn), List.copyOf(s.kernelLines), Map.copyOf(s.packages),
                    Map.copyOf(s.nvidiaModules), Set.copyOf(s.ownerKeys), s.runtimeConfig);
        }

        /** With lines that other parts of the lab wrote, as of a moment ago. */
        SystemView with(List<String> more, Instant now) {
            List<LabSystem.KernelLine> all = new ArrayList<>(lines);
            more.forEach(text -> all.add(new LabSystem.KernelLine(now.minusSeconds(5), text)));
            return new SystemView(folders, links, modes, changed, removed, options, inserted, withdrawn, all, packages,
                    nvidiaModules, ownerKeys, runtimeConfig);
        }

        /** True for an installed package. */
        public boolean has(String name) {
            return packages.containsKey(name);
        }
    }

    public MachineState {
        pci = List.copyOf(pci);
        cards = List.copyOf(cards);
        vms = List.copyOf(vms);
        overlay = Map.copyOf(overlay);
    }

    /** Time since the kernel started. */
    public Duration uptime() {
        Duration up = Duration.between(bootedAt, now);
        return up.isNegative() ? Duration.ZERO : up;
    }

    /** Of the last one, five and fifteen minutes; the lab keeps no past, so all three are as now. */
    public String loadAverage() {
        return String.format(Locale.ROOT, "%1$.2f %1$.2f %1$.2f", busyThreads);
    }

    public boolean isProxmox() {
        return kind == Kind.PROXMOX_HOST;
    }

    /** True for a word of the kernel command line, as the kernel splits it. */
    public boolean kernelOption(String word) {
        return List.of(commandLine.split("\\s+")).contains(word);
    }

    public Optional<PciView> function(String address) {
        return pci.stream().filter(p -> p.address().equals(address)).findFirst();
    }
}
