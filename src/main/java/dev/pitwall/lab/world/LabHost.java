package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A physical machine: a Proxmox host, or a bare-metal node. Touched only under the world's lock. */
public final class LabHost {
    public final String name;
    /** A Proxmox host has an API and VMs; a bare-metal machine has neither. */
    public final boolean proxmox;
    public String pveVersion = "";
    public String kernel = "";
    public String cpuModel = "";
    /** {@code GenuineIntel} or {@code AuthenticAMD}. */
    public String cpuVendor = "";
    public int cpuThreads;
    public long memoryBytes;
    public String boardVendor = "";
    public String boardName = "";
    /** Address in the imitated network; the lab's sockets are all on loopback. */
    public String address = "";
    public Instant bootedAt = Instant.EPOCH;

    /** Firmware settings. Each takes effect at a boot. */
    public boolean virtualization = true;
    public boolean iommuInFirmware = true;
    public boolean above4g = true;
    public boolean secureBoot;
    public boolean efi = true;

    /** State since the last boot. */
    public String commandLine = "";
    public boolean iommuActive = true;

    /** True while the machine answers on no port at all. */
    public boolean silent;
    /** Powered off, or on its way down or up; see {@link Restart}. */
    public boolean off;
    /** Until it boots the next time. */
    public HaMode haMode = HaMode.ACTIVE;

    /** The node's own options in Proxmox: {@code description}, {@code wakeonlan}, {@code startall-onboot-delay}. */
    public final Map<String, String> options = new TreeMap<>();

    /** Kernel lines since the last boot that do not follow from the rest, without time stamps, newest last. */
    public final List<String> kernelLog = new ArrayList<>();

    /** All functions, bridges included, in address order. */
    public final List<LabPci> pci = new ArrayList<>();
    /** Files by absolute path that differ from what is computed from state. */
    public final Map<String, byte[]> files = new TreeMap<>();

    public final LabSystem system = new LabSystem();

    /** Threads that its VMs keep busy; nothing else in the lab does. */
    public double busyThreads(World world) {
        return Math.min(cpuThreads, world.vms.values().stream().filter(vm -> vm.host.equals(name))
                .mapToDouble(LabVm::busyThreads).sum());
    }

    /** It is on and speaks to the network. */
    public boolean answers() {
        return !silent && !off;
    }

    public LabHost(String name, boolean proxmox) {
        this.name = name;
        this.proxmox = proxmox;
    }
}
