package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The operating system of a machine, as far as nothing else decides it: what is on its disk besides the contents of
 * files, what its running kernel took at boot or was told since, what is installed. Touched only under the world's lock.
 */
public final class LabSystem {
    /** Folders that were made, with their mode. */
    public final Map<String, Integer> folders = new TreeMap<>();
    /** Symbolic links that were made, with their target. */
    public final Map<String, String> links = new TreeMap<>();
    /** Modes of files, where they are not 0644. */
    public final Map<String, Integer> modes = new TreeMap<>();
    public final Map<String, Instant> changed = new TreeMap<>();
    /** Paths that were removed, and would be there otherwise. */
    public final Set<String> removed = new TreeSet<>();

    /** When the running kernel was started, and when the machine went down before that. */
    public Instant kernelSince = Instant.EPOCH;
    public Instant wentDown = Instant.EPOCH;
    /** When it is to go down, as {@code shutdown +5} says. */
    public Optional<Instant> shutdownAt = Optional.empty();
    /** Command line of this boot, where the machine has no {@link LabHost} of its own; empty for the usual one. */
    public String commandLine = "";
    /** What systemd-boot on the ESP gives the kernel, by kernel version; empty where GRUB boots. */
    public final Map<String, String> espEntries = new TreeMap<>();
    /** Files that each kernel's initramfs holds, by kernel version and path. */
    public final Map<String, Map<String, byte[]>> images = new TreeMap<>();
    /** Options in effect, by module (with underscores) and name. */
    public final Map<String, Map<String, String>> moduleOptions = new TreeMap<>();
    /** Modules that were loaded by name since the kernel started. */
    public final Set<String> inserted = new TreeSet<>();
    /** Modules that were unloaded, and would be there otherwise. */
    public final Set<String> withdrawn = new TreeSet<>();
    /** Driver of a guest's passed function, by its address there; no entry where the state of the node decides. */
    public final Map<String, String> bound = new TreeMap<>();
    /** {@code driver_override} of a guest's passed function, by its address there. */
    public final Map<String, String> overrides = new TreeMap<>();
    /** Ids that a driver was told of while it ran: {@code vfio-pci 10de:25b0}. */
    public final Set<String> dynamicIds = new TreeSet<>();
    /** Kernel lines of this boot that follow from what was done, oldest first. */
    public final List<KernelLine> kernelLines = new ArrayList<>();
    /** Earlier boots, oldest first. */
    public final List<PastBoot> pastBoots = new ArrayList<>();

    /** Installed packages by name. */
    public final Map<String, InstalledPackage> packages = new TreeMap<>();
    /** Ids of the package sources whose lists were fetched. */
    public final Set<String> packageLists = new TreeSet<>();
    /** NVIDIA modules on the disk, by kernel version. */
    public final Map<String, NvidiaModule> nvidiaModules = new TreeMap<>();
    /** Secure Boot keys of the machine's owner, and those that wait for somebody at the console at the next boot. */
    public final Set<String> ownerKeys = new TreeSet<>();
    public final Set<String> ownerKeysAsked = new TreeSet<>();
    /** Units that are not as their table says: started, stopped, enabled or disabled by hand. */
    public final Map<String, UnitNote> units = new TreeMap<>();
    /**
     * What containerd, or k3s or RKE2 before it, read of its configuration at its last start; empty where nobody has changed it.
     */
    public String runtimeConfig = "";

    /** @param at when the kernel said it */
    public record KernelLine(Instant at, String text) {
    }

    /** @param to when the machine went down */
    public record PastBoot(Instant from, Instant to, String kernel, List<KernelLine> lines) {
    }

    /** @param held {@code apt-mark hold} */
    public record InstalledPackage(String version, boolean held, boolean automatic) {
    }

    /**
     * An NVIDIA kernel module as it lies on the disk.
     *
     * @param open   the open kernel modules; else the proprietary ones
     * @param signer who signed it; empty for nobody
     * @param dkms   built here by DKMS; else it came from a package
     */
    public record NvidiaModule(String version, boolean open, String signer, boolean dkms) {
    }

    /** @param since when it was started or stopped */
    public record UnitNote(boolean active, boolean enabled, Instant since) {
    }

    /** A kernel line of now. */
    public void log(Instant now, String text) {
        kernelLines.add(new KernelLine(now, text));
    }
}
