package dev.pitwall.journey.survey;

import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.PackageChange.Manager;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node with a package manager: Debian, Ubuntu, the RHEL family.
 *
 * @param name      in the cluster; that of its machine where the cluster does not know it
 * @param machine   its shell in the site; of one that only its guest agent answers for, the VM as {@link
 *                  dev.pitwall.journey.GuestMachine} names it
 * @param way       how it was read and is changed
 * @param kernel    {@code uname -r}
 * @param bootId    of this boot
 * @param release   the values of {@code /etc/os-release}
 * @param functions PCI functions as the node lists them
 * @param software  its packages
 * @param driver    who drives cards in its kernel
 * @param runtime   its container runtime
 * @param files     the files that decide or may be changed, by path; absent ones too
 */
public record ShellNode(String name, String machine, Way way, String kernel, String bootId,
                        Map<String, String> release, List<PciFunction> functions, Software software, Driver driver,
                        Runtime runtime, SortedMap<String, Content> files, Map<String, Shown> shown)
        implements NodeSurvey {

    /** How a node was read. */
    public enum Way {
        SHELL,
        /** By the guest agent of its VM. */
        AGENT
    }

    public ShellNode {
        release = Map.copyOf(release);
        functions = List.copyOf(functions);
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        shown = Map.copyOf(shown);
    }

    /**
     * Packages of a node, of those that are asked for.
     *
     * @param manager   empty where neither dpkg nor rpm is there
     * @param installed version by name
     * @param cutOff    names of packages whose installation was not brought to its end
     * @param offered   the version that the sources offer, by name
     * @param keys      of package sources that are not there yet, their public key by its address
     */
    public record Software(Optional<Manager> manager, SortedMap<String, String> installed, Set<String> cutOff,
                           SortedMap<String, String> offered, Map<String, Content> keys) {
        public Software {
            installed = Collections.unmodifiableSortedMap(new TreeMap<>(installed));
            cutOff = Set.copyOf(cutOff);
            offered = Collections.unmodifiableSortedMap(new TreeMap<>(offered));
            keys = Map.copyOf(keys);
        }

        public boolean has(String name) {
            return installed.containsKey(name);
        }

        /** True if it is installed or could be. */
        public boolean offers(String name) {
            return offered.containsKey(name) || installed.containsKey(name);
        }
    }

    /**
     * What drives NVIDIA cards.
     *
     * @param modules     loaded kernel modules
     * @param version     of NVIDIA's module that is loaded
     * @param open        whether that is the open one; empty where none is loaded
     * @param devices     those that {@code nvidia-smi} lists
     * @param trouble     what {@code nvidia-smi} says where it fails
     * @param secureBoot  whether Secure Boot is on; empty where that cannot be told
     * @param keyEnrolled whether the key with which DKMS signs is enrolled
     * @param nouveauHere whether this kernel has nouveau
     * @param nouveauKept whether a file keeps nouveau from being loaded
     * @param runfile     whether NVIDIA's own installer has put a driver here, beside all packages
     * @param log         lines of the kernel log that speak of NVIDIA's or nouveau's module, newest last
     */
    public record Driver(List<String> modules, Optional<String> version, Optional<Boolean> open,
                         List<GpuDevice> devices, Optional<String> trouble, Optional<Boolean> secureBoot,
                         boolean keyEnrolled, boolean nouveauHere, boolean nouveauKept, boolean runfile,
                         List<String> log) {
        public Driver {
            modules = List.copyOf(modules);
            devices = List.copyOf(devices);
            log = List.copyOf(log);
        }
    }

    /**
     * What runs containers.
     *
     * @param engine   who brings containerd; empty where none of those that Kubernetes is packaged with runs
     * @param unit     the service whose start reads containerd's configuration
     * @param programs paths of NVIDIA's runtime that are there
     * @param specs    paths of CDI specifications
     */
    public record Runtime(Optional<Engine> engine, String unit, List<String> programs, List<String> specs) {
        public Runtime {
            programs = List.copyOf(programs);
            specs = List.copyOf(specs);
        }
    }

    /** Who brings containerd, and where its configuration is (facts: cluster.md 5). */
    public enum Engine {
        RKE2("/var/lib/rancher/rke2/agent/etc/containerd/"),
        K3S("/var/lib/rancher/k3s/agent/etc/containerd/"),
        MICROK8S("/var/snap/microk8s/current/args/"),
        CONTAINERD("/etc/containerd/");

        private final String folder;

        Engine(String folder) {
            this.folder = folder;
        }

        /** The configuration that containerd reads. */
        public String config() {
            return folder + (this == MICROK8S ? "containerd.toml" : "config.toml");
        }

        /** Files that the service makes the configuration of, as far as a person wrote them. */
        public List<String> templates() {
            return switch (this) {
                case RKE2, K3S -> List.of(folder + "config.toml.tmpl", folder + "config-v3.toml.tmpl");
                case MICROK8S -> List.of(folder + "containerd-template.toml");
                case CONTAINERD -> List.of();
            };
        }

        /** True where the service writes the configuration anew at each start. */
        public boolean generates() {
            return this == RKE2 || this == K3S;
        }
    }

    /** What a file holds; absent also where it was not read. */
    public Content file(String path) {
        return files.getOrDefault(path, Content.ABSENT);
    }

    /** True if the module is loaded, whichever way its name is written. */
    public boolean loaded(String module) {
        return driver.modules().contains(module.replace('-', '_'));
    }
}
