package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A Kubernetes node's machine: a VM, or a bare-metal host. Touched only under the world's lock. */
public final class LabNode {
    public final String name;
    /** {@code master} or {@code worker}. */
    public String role = "worker";
    /** Number of the VM it runs in; 0 means bare metal. */
    public int vmid;
    /** Host it runs on. */
    public String host = "";
    /** Lower-case UUID from its SMBIOS. */
    public String systemUuid = "";
    public String osImage = "";
    public String kernel = "";
    public String containerRuntime = "";
    public String kubelet = "";
    public String address = "";
    public int cpus;
    public long memoryBytes;
    public Instant bootedAt = Instant.EPOCH;
    /** Labels and taints an administrator set; those of NFD and GFD come from the cluster's own controllers. */
    public final Map<String, String> labels = new TreeMap<>();
    public final List<String> taints = new ArrayList<>();
    /** Its machine runs and answers; follows from {@link Wiring#renew}. */
    public boolean ready = true;
    /** Its container runtime no longer stops what it has started: pods stay Terminating. */
    public boolean runtimeStuck;
    /** Pods, as {@code namespace/name}, whose processes do not end whatever is done to them. */
    public final Set<String> stuckPods = new TreeSet<>();
    /** Ids of the cards this machine sees on its PCI bus. */
    public final List<String> cards = new ArrayList<>();

    /** The NVIDIA kernel module here: {@code absent}, {@code compiling}, {@code loaded} or {@code failed}. */
    public String driver = "absent";
    public String driverVersion = "";
    public Instant driverSince = Instant.EPOCH;
    /** Who brought the module; changed by {@link GuestDriver} only, as are the three above. */
    public GuestDriver.Source driverSource = GuestDriver.Source.NONE;
    /** The container runtime knows the {@code nvidia} handler; changed by {@link ContainerRuntime} only. */
    public boolean toolkitReady;
    public final Map<String, byte[]> files = new TreeMap<>();
    /** A guest's own; a bare-metal node has its host's. */
    public final LabSystem system = new LabSystem();
    /** Its SSH server is one of those that clients may use, whether it has a card or not. */
    public boolean shell;
    /** The guest is on its way down or up inside a VM that runs; see {@link Restart}. */
    public boolean off;
    /** The Talos it runs; empty on an ordinary system. */
    public Optional<LabTalos> talos = Optional.empty();

    public LabNode(String name) {
        this.name = name;
    }
}
