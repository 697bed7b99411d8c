package dev.pitwall.lab.scene;

import dev.pitwall.lab.world.CardEnvelope;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCluster;
import dev.pitwall.lab.world.LabModelServer;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A homelab as it is when the lab starts. A scene is written in YAML or made by {@link Fleet}; either way
 * {@link SceneCheck} looks at it before {@link SceneWorld} builds a world from it.
 *
 * <p>What many machines share is named once, as a kind: boards, cards, VMs, nodes, models.
 *
 * @param name    for example {@code garage}
 * @param summary one line for people
 * @param cluster    name of the Proxmox cluster and of the Kubernetes context
 * @param kubernetes what sort of cluster the nodes form; absent means RKE2 with the operator's own driver
 */
public record Scene(String name, String summary, String cluster, Kubernetes kubernetes,
                    Map<String, Board> boards, Map<String, CardKind> cardKinds, Map<String, VmKind> vmKinds,
                    Map<String, NodeKind> nodeKinds, Map<String, ModelKind> models,
                    List<Host> hosts, List<Vm> vms, List<Container> containers, List<Node> nodes, List<Server> servers,
                    List<User> users, List<Token> tokens, Map<String, List<String>> pciMappings, Pods pods) {

    public Scene {
        summary = summary == null ? "" : summary;
        cluster = cluster == null ? "" : cluster;
        kubernetes = kubernetes == null ? new Kubernetes(null, null) : kubernetes;
        boards = orEmpty(boards);
        cardKinds = orEmpty(cardKinds);
        vmKinds = orEmpty(vmKinds);
        nodeKinds = orEmpty(nodeKinds);
        models = orEmpty(models);
        hosts = orEmpty(hosts);
        vms = orEmpty(vms);
        containers = orEmpty(containers);
        nodes = orEmpty(nodes);
        servers = orEmpty(servers);
        users = orEmpty(users);
        tokens = orEmpty(tokens);
        pciMappings = orEmpty(pciMappings);
        pods = pods == null ? new Pods(0, 0) : pods;
    }

    /** The same before anybody set up its cards for Kubernetes; see {@link BareScene}. */
    public Scene bare() {
        return BareScene.of(this);
    }

    /** @param distribution {@code rke2}, {@code k3s}, {@code talos} or {@code kubeadm} */
    public record Kubernetes(LabCluster.Distribution distribution, Operator operator) {
        public Kubernetes {
            distribution = distribution == null ? LabCluster.USUAL.distribution() : distribution;
            operator = operator == null ? new Operator(null, null, null) : operator;
        }
    }

    /**
     * The GPU Operator as it is installed at the start.
     *
     * @param driver {@code container} where it brings the driver, {@code host} where {@code driver.enabled} is false
     */
    public record Operator(String chart, String namespace, GuestDriver.Source driver) {
        public Operator {
            chart = chart == null ? LabCluster.USUAL.operatorChart() : chart;
            namespace = namespace == null ? LabCluster.USUAL.operatorNamespace() : namespace;
            driver = driver == null ? LabCluster.USUAL.driver() : driver;
        }
    }

    /**
     * A mainboard with what is soldered to it.
     *
     * @param cpuVendor {@code GenuineIntel} or {@code AuthenticAMD}
     * @param pci       every function except those of cards, bridges included
     */
    public record Board(String vendor, String product, String cpu, String cpuVendor, int cpuThreads, int memoryGiB,
                        List<Pci> pci) {
        public Board {
            pci = orEmpty(pci);
        }
    }

    /**
     * A PCI function. In a {@link CardKind} {@code at} is the function number, on a {@link Board} the address without
     * domain.
     *
     * @param type   {@code 0300 VGA compatible controller}: class in four or six hex digits, and its name
     * @param id     {@code vvvv:dddd}
     * @param vendor as the PCI id database names it
     * @param device likewise; empty where the database does not know it
     * @param driver driver that takes it at boot when nothing says otherwise; empty means none
     * @param group  IOMMU group; absent in a card kind, where the slot's group counts
     * @param bars   kernel lines about its BARs
     */
    public record Pci(String at, String type, String id, String vendor, String device, String subsystem,
                      String subsystemName, String revision, String driver, List<String> modules, Integer group,
                      String reset, boolean bootVga, List<String> bars) {
        public Pci {
            vendor = vendor == null ? "" : vendor;
            device = device == null ? "" : device;
            subsystem = subsystem == null ? "" : subsystem;
            subsystemName = subsystemName == null ? "" : subsystemName;
            revision = revision == null ? "00" : revision;
            driver = driver == null ? "" : driver;
            modules = orEmpty(modules);
            reset = reset == null ? "" : reset;
            bars = orEmpty(bars);
        }
    }

    /** A model of card; {@code vramMiB} as the driver reports it. */
    public record CardKind(String product, long vramMiB, double powerLimitW, CardEnvelope envelope,
                           List<Pci> functions) {
        public CardKind {
            functions = orEmpty(functions);
        }
    }

    /** @param config Proxmox configuration; {@code {vmid}}, {@code {name}}, {@code {uuid}}, {@code {mac}} are filled in */
    public record VmKind(Map<String, String> config) {
        public VmKind {
            config = orEmpty(config);
        }
    }

    /**
     * What the nodes of one kind share.
     *
     * @param talos absent on an ordinary system
     * @param shell they have an SSH server that clients may use also while they have no card
     */
    public record NodeKind(String role, String os, String kernel, String containerRuntime, String kubelet,
                           String driver, String driverVersion, Map<String, String> labels, List<String> taints,
                           Talos talos, boolean shell) {
        public NodeKind {
            driver = driver == null ? "absent" : driver;
            driverVersion = driverVersion == null ? "" : driverVersion;
            labels = orEmpty(labels);
            taints = orEmpty(taints);
        }
    }

    /**
     * The image of a Talos node.
     *
     * @param version    for example {@code v1.13.9}
     * @param extensions official extensions in their full form, for example {@code siderolabs/qemu-guest-agent}
     * @param modules    kernel modules that the machine configuration loads
     */
    public record Talos(String version, List<String> extensions, List<String> modules) {
        public Talos {
            extensions = orEmpty(extensions);
            modules = orEmpty(modules);
        }
    }

    /**
     * A language model as Ollama has it.
     *
     * @param vramBytes what it takes once loaded with the default context
     * @param ago       how long ago it was pulled
     */
    public record ModelKind(String digest, long diskBytes, long vramBytes, String family, String parameters,
                            String quantization, int contextTokens, Duration ago) {
    }

    /**
     * A physical machine.
     *
     * @param proxmox Proxmox VE version; absent for bare metal
     * @param up      how long ago it booted
     * @param files   files that are not computed from state, text by absolute path
     */
    public record Host(String name, String board, String proxmox, String kernel, String address, Duration up,
                       String commandLine, Firmware firmware, List<Slot> cards, Map<String, String> files) {
        public Host {
            proxmox = proxmox == null ? "" : proxmox;
            firmware = firmware == null ? new Firmware(true, true, true, false, true) : firmware;
            cards = orEmpty(cards);
            files = orEmpty(files);
        }
    }

    /** Firmware settings; see {@link dev.pitwall.lab.world.LabHost}. */
    public record Firmware(boolean virtualization, boolean iommu, boolean above4g, boolean secureBoot, boolean efi) {
    }

    /**
     * A card in a slot.
     *
     * @param slot   {@code 0000:01:00}
     * @param group  IOMMU group of all its functions
     * @param uuid   {@code GPU-…}
     * @param driver driver bound to every function now; absent means each function's own
     */
    public record Slot(String slot, String kind, int group, String uuid, String driver) {
    }

    /**
     * A VM.
     *
     * @param uuid   SMBIOS UUID
     * @param up     how long ago it was started; absent means it is stopped
     * @param config on top of its kind's
     */
    public record Vm(int vmid, String host, String name, String kind, String uuid, Duration up,
                     Map<String, String> config) {
        public Vm {
            config = orEmpty(config);
        }
    }

    /**
     * An LXC container of a Proxmox host.
     *
     * @param runs   whether it runs at the start
     * @param config Proxmox configuration; raw lines under their key, one text a line
     */
    public record Container(int vmid, String host, boolean runs, Map<String, String> config) {
        public Container {
            config = orEmpty(config);
        }
    }

    /**
     * A Kubernetes node; either in a VM or on a machine of its own.
     *
     * @param uuid   SMBIOS UUID of a bare-metal machine; a VM has its own
     * @param labels on top of its kind's
     */
    public record Node(String name, String kind, Integer vm, String host, String uuid, String address,
                       Map<String, String> labels) {
        public Node {
            labels = orEmpty(labels);
        }
    }

    /**
     * A model server.
     *
     * @param kind   {@code ollama} or {@code llama-server}; absent means Ollama
     * @param card   {@code host/0000:01:00}
     * @param most   {@code --models-max} of a llama-server router; absent means its own usual 4
     * @param sleep  {@code --sleep-idle-seconds} of a router; absent means that none of its models sleeps
     * @param models installed models
     * @param loaded those of them that are in memory at the start
     */
    public record Server(String name, String namespace, LabModelServer.Kind kind, String card, String node,
                         String version, List<String> models, List<String> loaded, Integer most, Duration sleep) {
        public Server {
            kind = kind == null ? LabModelServer.Kind.OLLAMA : kind;
            most = most == null ? 4 : most;
            sleep = sleep == null ? Duration.ZERO : sleep;
            models = orEmpty(models);
            loaded = orEmpty(loaded);
        }
    }

    /**
     * A Proxmox user; see {@link dev.pitwall.lab.world.LabUser}. Its password is made anew at each start.
     *
     * @param secondFactor it signs in with a one-time password too
     */
    public record User(String id, boolean secondFactor, Map<String, Set<String>> rights) {
        public User {
            rights = orEmpty(rights);
        }
    }

    /** A Proxmox API token; see {@link dev.pitwall.lab.world.LabToken}. Its secret is made anew at each start. */
    public record Token(String id, boolean privsep, Map<String, Set<String>> rights) {
        public Token {
            rights = orEmpty(rights);
        }
    }

    /** Plain pods besides those the cluster needs. */
    public record Pods(int count, double changesPerSecond) {
    }

    private static <T> List<T> orEmpty(List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    private static <K, V> Map<K, V> orEmpty(Map<K, V> map) {
        return map == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
