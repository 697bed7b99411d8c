package dev.pitwall.journey.survey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.change.Content;
import dev.pitwall.read.KernelCommandLine;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A host as its shell and its API showed it at one moment: what all steps on it rest on.
 *
 * @param host          the node's name
 * @param proxmox       Proxmox VE version, for example {@code 8.4.14}; empty on a machine without Proxmox
 * @param kernel        {@code uname -r}
 * @param bootId        of this boot of the kernel
 * @param uptimeSeconds since that boot
 * @param cpuVendor     {@code GenuineIntel} or {@code AuthenticAMD}
 * @param virtualization true if the processor shows {@code vmx} or {@code svm}: switched on in firmware
 * @param board         vendor and product of the board, for firmware advice
 * @param commandLine   {@code /proc/cmdline}
 * @param loader        what loads the kernel, as proved by the command line, else by proxmox-boot-tool
 * @param iommuUnits    names in {@code /sys/class/iommu}
 * @param acpiTables    those of {@code DMAR} and {@code IVRS} that exist
 * @param groups        IOMMU group of every function
 * @param functions     all PCI functions with their drivers
 * @param states        of the functions of NVIDIA cards, what {@code /sys} says of them
 * @param bars          of the same functions, the memory they show: above 4 GiB, and whether it can be resized (ReBAR)
 * @param modules       loaded kernel modules
 * @param parameters    of {@code vfio_pci} and {@code vfio_iommu_type1} as they are in the kernel, by {@code
 *module.name}  @param files         the files that decide or may be changed, by path; absent ones too
 * @param framebuffer   boot framebuffers in the memory of NVIDIA cards, from {@code /proc/iomem}, for example
 *                      {@code 6000000000-60007e8fff : BOOTFB in 0000:01:00.0}
 * @param guests        VMs and containers on this host, by id
 * @param nics          names of the network interfaces that are there
 * @param shown         what the survey rests on, by the names of {@link Showing}
 */
public record HostSurvey(String host, Optional<String> proxmox, String kernel, String bootId, long uptimeSeconds,
                         String cpuVendor, boolean virtualization, String board, KernelCommandLine commandLine,
                         KernelCommandLine.Loader loader, List<String> iommuUnits, List<String> acpiTables,
                         Map<PciAddress, Integer> groups, List<PciFunction> functions,
                         Map<PciAddress, FunctionState> states, Map<PciAddress, List<Bar>> bars, List<String> modules,
                         Map<String, String> parameters, SortedMap<String, Content> files,
                         List<String> framebuffer, List<Guest> guests, List<String> nics, Map<String, Shown> shown) {

    public HostSurvey {
        iommuUnits = List.copyOf(iommuUnits);
        acpiTables = List.copyOf(acpiTables);
        groups = Map.copyOf(groups);
        functions = List.copyOf(functions);
        states = Map.copyOf(states);
        bars = Map.copyOf(bars);
        modules = List.copyOf(modules);
        parameters = Map.copyOf(parameters);
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        framebuffer = List.copyOf(framebuffer);
        guests = List.copyOf(guests);
        nics = List.copyOf(nics);
        shown = Map.copyOf(shown);
    }

    /**
     * @param resetMethod {@code flr bus} or the like; empty where the file is missing: no reset
     * @param powerState  {@code D0}, {@code D3hot}, {@code D3cold}
     * @param bootVga     true if the firmware's console is on it
     * @param override    {@code driver_override}
     */
    public record FunctionState(Optional<String> resetMethod, Optional<String> powerState, Optional<Boolean> bootVga,
                                Optional<String> override) {
    }

    /**
     * A window of memory that a function shows (a base address register).
     *
     * @param index     0 to 5
     * @param start     first physical address
     * @param bytes     its size
     * @param resizable sizes that the card offers for it, in bytes; empty where it has one size only, or where
     *                  {@code lspci -vv} does not tell
     */
    public record Bar(int index, long start, long bytes, List<Long> resizable) {
        public Bar {
            resizable = List.copyOf(resizable);
        }

        /** True if it can only be there with "Above 4G Decoding" in firmware. */
        public boolean above4GiB() {
            return Long.compareUnsigned(start, 0xffff_ffffL) > 0;
        }
    }

    /**
     * A VM or container of the host.
     *
     * @param type    {@code qemu} or {@code lxc}
     * @param status  {@code running}, {@code stopped}, ...
     * @param config  its configuration, pending changes counted; empty where it could not be read
     * @param ha      the state its HA resource is kept in; empty where HA does not manage it, or that may not be read
     * @param backups ids of backup jobs that include it, as far as they may be read
     * @param lock    what Proxmox has locked it for, for example {@code backup}; empty for no lock
     */
    public record Guest(int id, String name, String type, String status, boolean onboot, Map<String, String> config,
                        Optional<String> ha, List<String> backups, Optional<String> lock) {
        public Guest {
            config = Map.copyOf(config);
            backups = List.copyOf(backups);
        }

        /** One that neither HA nor a backup job knows. */
        public Guest(int id, String name, String type, String status, boolean onboot, Map<String, String> config) {
            this(id, name, type, status, onboot, config, Optional.empty(), List.of());
        }

        /** One that is not locked. */
        public Guest(int id, String name, String type, String status, boolean onboot, Map<String, String> config,
                     Optional<String> ha, List<String> backups) {
            this(id, name, type, status, onboot, config, ha, backups, Optional.empty());
        }

        /** The same with another configuration. */
        public Guest configured(Map<String, String> other) {
            return new Guest(id, name, type, status, onboot, other, ha, backups, lock);
        }

        public boolean running() {
            return status.equals("running");
        }
    }

    /** Of a host that nobody looks at: what is changed does not rest on it. */
    public static HostSurvey unread(String host) {
        return new HostSurvey(host, Optional.empty(), "", "", 0, "", false, "",
                new KernelCommandLine(KernelCommandLine.Loader.UNKNOWN, List.of(), List.of()),
                KernelCommandLine.Loader.UNKNOWN, List.of(), List.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of(),
                Map.of(), new TreeMap<>(), List.of(), List.of(), List.of(), Map.of());
    }

    /** All functions of a slot, in order. */
    public List<PciFunction> slot(PciAddress slot) {
        return functions.stream().filter(f -> f.address().sameSlot(slot)).sorted(
                Comparator.comparing(PciFunction::address)).toList();
    }

    /** The group of a function; empty without an IOMMU. */
    public OptionalInt group(PciAddress function) {
        Integer group = groups.get(function);
        return group == null ? OptionalInt.empty() : OptionalInt.of(group);
    }

    /** True while the kernel runs an IOMMU: Proxmox itself tests the former (facts 2.1). */
    public boolean iommuOn() {
        return !iommuUnits.isEmpty() && !groups.isEmpty();
    }

    /** What a file holds; absent also where it was not read. */
    public Content file(String path) {
        return files.getOrDefault(path, Content.ABSENT);
    }

    /** The host as it would be read with these guests, and nothing else different. */
    public HostSurvey withGuests(List<Guest> others) {
        return new HostSurvey(host, proxmox, kernel, bootId, uptimeSeconds, cpuVendor, virtualization, board,
                commandLine, loader, iommuUnits, acpiTables, groups, functions, states, bars, modules, parameters,
                files, framebuffer, others, nics, shown);
    }

    /** The host as it would be read if these files held other contents, and nothing else were different. */
    public HostSurvey withFiles(Map<String, Content> contents) {
        SortedMap<String, Content> other = new TreeMap<>(files);
        other.putAll(contents);
        return new HostSurvey(host, proxmox, kernel, bootId, uptimeSeconds, cpuVendor, virtualization, board,
                commandLine, loader, iommuUnits, acpiTables, groups, functions, states, bars, modules, parameters,
                other, framebuffer, guests, nics, shown);
    }
}
