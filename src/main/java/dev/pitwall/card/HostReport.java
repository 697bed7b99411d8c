package dev.pitwall.card;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the Proxmox API says about one host. The API tells neither the driver in use nor whether the IOMMU works, so
 * those come from a {@link MachineReport}.
 *
 * @param node          Proxmox node name, case sensitive
 * @param version       Proxmox VE version, for example {@code 8.4.14}
 * @param uptimeSeconds since the host's boot
 * @param kernel        running kernel release (from 8.1)
 * @param bootMode      {@code efi} or {@code legacy-bios} (from 8.1)
 * @param secureBoot    from 8.1
 * @param cpuVendor     {@code GenuineIntel} or {@code AuthenticAMD}
 * @param cpuFlags      for {@code vmx} and {@code svm}; may be empty
 * @param functions     all PCI functions, bridges included; drivers are never known here
 * @param vms           the VMs of this host
 * @param mappings      PCI resource mappings by id, only the entries of this host
 */
public record HostReport(String node, String version, OptionalLong uptimeSeconds, Optional<String> kernel,
                         Optional<String> bootMode, Optional<Boolean> secureBoot, Optional<String> cpuVendor,
                         List<String> cpuFlags, List<PciFunction> functions, List<VmReport> vms,
                         Map<String, List<PciMapping>> mappings) {

    public HostReport {
        cpuFlags = List.copyOf(cpuFlags);
        functions = List.copyOf(functions);
        vms = List.copyOf(vms);
        mappings = Map.copyOf(mappings);
    }

    /**
     * One entry of a PCI resource mapping.
     *
     * @param paths       one or more addresses; a whole slot where no function is given
     * @param iommuGroup  required by Proxmox at VM start although optional in its schema
     * @param subsystemId likewise
     */
    public record PciMapping(List<PciAddress> paths, Optional<String> vendorDevice, Optional<Integer> iommuGroup,
                             Optional<String> subsystemId) {
        public PciMapping {
            paths = List.copyOf(paths);
        }
    }
}
