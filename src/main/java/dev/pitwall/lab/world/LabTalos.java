package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The Talos on a node: which image it booted, and which it will. Touched only under the world's lock. */
public final class LabTalos {
    /** Release it runs, for example {@code v1.13.9}. */
    public String version;
    /** Id of the Image Factory's schematic that its image was built from. */
    public String schematic;
    /** Extensions in the running image by their full name, for example {@code siderolabs/qemu-guest-agent}. */
    public final List<String> extensions = new ArrayList<>();
    /** The installer image that the next boot starts; empty while that is what runs. */
    public Optional<NextImage> next = Optional.empty();
    /** What is installed, while another medium runs; a boot from the disk starts it. */
    public Optional<NextImage> onDisk = Optional.empty();
    /** The machine configuration in force, YAML. */
    public String config = "";
    /** What is on the disk for the next boot; the same as {@link #config} unless a change is staged or tried. */
    public String savedConfig = "";
    /** When a configuration that is only tried is taken back. */
    public Optional<Instant> triedUntil = Optional.empty();
    /** Modules that this boot's configuration loaded, in order. */
    public final List<String> modules = new ArrayList<>();
    /** Installer images that were pulled. */
    public final Set<String> images = new TreeSet<>();
    /** Kernel lines of this boot that do not follow from the rest, oldest first. */
    public final List<String> kernelLog = new ArrayList<>();
    /** {@code running}, {@code upgrading} or {@code rebooting}. */
    public String stage = "running";

    public LabTalos(String version, String schematic, List<String> extensions) {
        this.version = version;
        this.schematic = schematic;
        this.extensions.addAll(extensions);
    }

    /** An image that was installed beside the one that runs. */
    public record NextImage(String version, String schematic, List<String> extensions) {
        public NextImage {
            extensions = List.copyOf(extensions);
        }
    }
}
