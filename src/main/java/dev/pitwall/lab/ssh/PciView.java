package dev.pitwall.lab.ssh;

import java.util.List;

/**
 * One PCI function as one machine sees it.
 *
 * @param address     {@code 0000:01:00.0}
 * @param classCode   six hex digits
 * @param iommuGroup  -1 for none
 * @param override    {@code driver_override}; empty for none
 * @param gone        no longer answers: its configuration space reads as ones
 */
public record PciView(String address, String classCode, String className, String vendorId, String deviceId,
                      String vendorName, String deviceName, String subsystemVendor, String subsystemDevice,
                      String subsystemName, String revision, String driver, List<String> modules, int iommuGroup,
                      String powerState, String resetMethods, boolean bootVga, List<String> barLines, boolean gone,
                      String override) {

    public PciView {
        modules = List.copyOf(modules);
        barLines = List.copyOf(barLines);
    }

    /** {@code 01:00.0}. */
    public String shortAddress() {
        return address.substring(address.indexOf(':') + 1);
    }

    /** {@code 0000:01:00}. */
    public String slot() {
        return address.substring(0, address.lastIndexOf('.'));
    }

    public boolean isNvidiaDisplay() {
        return vendorId.equals("10de") && classCode.startsWith("03");
    }

    public boolean isBridge() {
        return classCode.startsWith("0604");
    }

    PciView with(String newDriver, String newPowerState) {
        return new PciView(address, classCode, className, vendorId, deviceId, vendorName, deviceName,
                subsystemVendor, subsystemDevice, subsystemName, revision, newDriver, modules, iommuGroup,
                newPowerState, resetMethods, bootVga, barLines, gone, override);
    }

    PciView at(String newAddress, String newDriver, int group, String newOverride) {
        return new PciView(newAddress, classCode, className, vendorId, deviceId, vendorName, deviceName,
                subsystemVendor, subsystemDevice, subsystemName, revision, newDriver, modules, group, powerState,
                resetMethods, bootVga, List.of(), gone, newOverride);
    }
}
