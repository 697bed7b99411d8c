package dev.pitwall.lab.world;

import java.util.ArrayList;
import java.util.List;

/** One PCI function of a physical machine. Touched only under the world's lock. */
public final class LabPci {
    /** {@code 0000:01:00.0}. */
    public final String address;
    /** Six hex digits, for example {@code 030000}. */
    public String classCode = "";
    public String className = "";
    public String vendorId = "";
    public String deviceId = "";
    public String vendorName = "";
    public String deviceName = "";
    public String subsystemVendor = "";
    public String subsystemDevice = "";
    public String subsystemName = "";
    public String revision = "00";
    /** Driver bound on the host now; empty means none. */
    public String driver = "";
    /** The driver that takes it at boot when nothing says otherwise; empty means none. */
    public String defaultDriver = "";
    public final List<String> modules = new ArrayList<>();
    /** -1 means no group. */
    public int iommuGroup = -1;
    /** The group it is in whenever the IOMMU works and no option splits groups; -1 means none. */
    public int wiredGroup = -1;
    /** {@code driver_override}; empty means none. */
    public String driverOverride = "";
    /** Taken off the bus by hand, until a rescan. */
    public boolean removed;
    /** {@code D0}, {@code D3hot} or {@code D3cold}. */
    public String powerState = "D0";
    public String resetMethods = "bus";
    public boolean bootVga;
    /** Kernel lines about its BARs, as dmesg prints them after {@code pci ADDRESS: }. */
    public final List<String> barLines = new ArrayList<>();

    public LabPci(String address) {
        this.address = address;
    }
}
