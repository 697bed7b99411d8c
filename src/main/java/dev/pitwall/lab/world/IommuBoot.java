package dev.pitwall.lab.world;


import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether the IOMMU works after a boot, and who shares a group. Intel kernels before 6.8 need {@code intel_iommu=on};
 * AMD needs nothing (facts: proxmox.md 1.14, 2.1, 2.4).
 */
public final class IommuBoot {
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final int DEFAULT_ON_SINCE = 608;
    private static final String ACS = "pcie_acs_override=";

    private final LabHost host;
    private final List<String> words;

    public IommuBoot(LabHost host) {
        this.host = host;
        this.words = List.of(host.commandLine.split("\\s+"));
    }

    boolean isActive() {
        if (!host.iommuInFirmware || words.contains("iommu=off")) {
            return false;
        }
        if (host.cpuVendor.equals("AuthenticAMD")) {
            return words.stream().noneMatch("amd_iommu=off"::equals);
        }
        List<String> given = words.stream().filter(word -> word.startsWith("intel_iommu="))
                .flatMap(word -> Arrays.stream(word.substring("intel_iommu=".length()).split(","))).toList();
        return !given.contains("off") && (given.contains("on") || release() >= DEFAULT_ON_SINCE);
    }

    /** 608 for 6.8. */
    private int release() {
        Matcher m = RELEASE.matcher(host.kernel);
        return m.matches() ? Integer.parseInt(m.group(1)) * 100 + Integer.parseInt(m.group(2)) : 0;
    }

    /** Writes the group of every function. */
    public void group() {
        boolean active = isActive();
        host.iommuActive = active;
        List<String> split = words.stream().filter(word -> word.startsWith(ACS))
                .flatMap(word -> Arrays.stream(word.substring(ACS.length()).split(","))).toList();
        boolean functions = split.contains("multifunction");
        boolean slots = split.contains("downstream");
        // The patch is in Proxmox's kernels only (facts: proxmox.md 2.4).
        if (!active || !host.proxmox || !functions && !slots) {
            host.pci.forEach(pci -> pci.iommuGroup = active ? pci.wiredGroup : -1);
            return;
        }
        Map<String, Integer> numbers = new HashMap<>();
        for (LabPci pci : host.pci) {
            if (pci.wiredGroup >= 0) {
                String key = (slots ? slot(pci) : "") + (functions ? pci.address : "") + "/" + pci.wiredGroup;
                pci.iommuGroup = numbers.computeIfAbsent(key, k -> numbers.size());
            }
        }
    }

    private static String slot(LabPci pci) {
        return pci.address.substring(0, pci.address.lastIndexOf('.'));
    }
}
