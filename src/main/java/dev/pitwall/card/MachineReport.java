package dev.pitwall.card;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a shell on one machine (a Proxmox host, a worker VM or a bare-metal node) says.
 *
 * @param hostname      as the kernel has it
 * @param systemUuid    {@code /sys/class/dmi/id/product_uuid}, lower case; readable by root only
 * @param product       {@code /sys/class/dmi/id/product_name}; tells a virtual machine from a physical one
 * @param kernel        {@code uname -r}
 * @param commandLine   {@code /proc/cmdline}
 * @param uptimeSeconds {@code /proc/uptime}
 * @param secureBoot    {@code mokutil --sb-state}; empty where it cannot tell
 * @param iommuUnits    names in {@code /sys/class/iommu}: {@code dmar0} (Intel) or {@code ivhd0} (AMD)
 * @param acpiTables    those of {@code DMAR}, {@code IVRS} that exist; DMAR means Intel VT-d is on in firmware
 * @param groups        IOMMU group of each function
 * @param functions     {@code lspci -nnkD}
 * @param driverVersion of the loaded NVIDIA kernel module, from {@code /proc/driver/nvidia/version}
 * @param gpus          what {@code nvidia-smi} reports; empty if it is not there or cannot talk to the driver
 * @param nvidiaSmiError its first line when it fails
 * @param containerd    the configuration its CRI plugin runs with, if this machine has a containerd
 * @param cdiSpecs      files in {@code /var/run/cdi} and {@code /etc/cdi}
 */
public record MachineReport(String hostname, Optional<String> systemUuid, Optional<String> product,
                            String kernel, String commandLine,
                            OptionalLong uptimeSeconds, Optional<Boolean> secureBoot, List<String> iommuUnits,
                            List<String> acpiTables, Map<PciAddress, Integer> groups, List<PciFunction> functions,
                            Optional<String> driverVersion, List<GpuDevice> gpus, Optional<String> nvidiaSmiError,
                            Optional<ContainerdSettings> containerd, List<String> cdiSpecs) {

    public MachineReport {
        iommuUnits = List.copyOf(iommuUnits);
        acpiTables = List.copyOf(acpiTables);
        groups = Map.copyOf(groups);
        functions = List.copyOf(functions);
        gpus = List.copyOf(gpus);
        cdiSpecs = List.copyOf(cdiSpecs);
    }

    /**
     * @param defaultRuntime {@code default_runtime_name}
     * @param runtimes       names of the configured runtime handlers
     * @param cdiEnabled     {@code enable_cdi}; empty where the file leaves it to containerd's default
     */
    public record ContainerdSettings(Optional<String> defaultRuntime, List<String> runtimes,
                                     Optional<Boolean> cdiEnabled) {
        public ContainerdSettings {
            runtimes = List.copyOf(runtimes);
        }
    }
}
