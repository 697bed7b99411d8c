package dev.pitwall.card;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One function of a PCI device as a host or guest lists it. Texts are as the system printed them.
 *
 * @param address     where it sits; always with a function
 * @param classCode   four hex digits, for example {@code 0300}; empty if not printed
 * @param className   for example {@code VGA compatible controller}
 * @param vendorId    four hex digits, for example {@code 10de}
 * @param deviceId    four hex digits
 * @param name        vendor and device name; missing when the host's pci.ids does not know the card
 * @param subsystemId {@code vvvv:dddd}
 * @param driver      kernel driver in use; empty also when the source cannot tell (the Proxmox API)
 * @param modules     kernel modules that could drive it
 * @param iommuGroup  empty if it has none or the source does not say
 * @param revision    two hex digits; {@code ff} means the device no longer answers
 */
public record PciFunction(PciAddress address, Optional<String> classCode, Optional<String> className,
                          Optional<String> vendorId, Optional<String> deviceId, Optional<String> name,
                          Optional<String> subsystemId, Optional<String> driver, List<String> modules,
                          OptionalInt iommuGroup, Optional<String> revision) {

    /** NVIDIA's PCI vendor id. */
    public static final String NVIDIA = "10de";

    public PciFunction {
        modules = List.copyOf(modules);
    }

    /** True for an NVIDIA display device: class 0300 (VGA) or 0302 (3D controller, as data-centre cards are). */
    public boolean isNvidiaGpu() {
        return vendorId.filter(NVIDIA::equals).isPresent()
                && classCode.filter(c -> c.equals("0300") || c.equals("0302")).isPresent();
    }

    /** True for bridges (class 06..), which stay on the host whatever group they are in. */
    public boolean isBridge() {
        return classCode.filter(c -> c.startsWith("06")).isPresent();
    }

    /** The same function, its IOMMU group known from another source. */
    public PciFunction inGroup(int group) {
        return new PciFunction(address, classCode, className, vendorId, deviceId, name, subsystemId, driver, modules,
                OptionalInt.of(group), revision);
    }

    /** The same functions with their groups from another source, since lspci prints none without {@code -v}. */
    public static List<PciFunction> inGroups(List<PciFunction> listed, Map<PciAddress, Integer> groups) {
        return listed.stream().map(f -> f.iommuGroup().isPresent() || !groups.containsKey(f.address()) ? f
                : f.inGroup(groups.get(f.address()))).toList();
    }

    /** {@code vvvv:dddd}, if both are known. */
    public Optional<String> vendorDevice() {
        return vendorId.flatMap(v -> deviceId.map(d -> v + ":" + d));
    }
}
