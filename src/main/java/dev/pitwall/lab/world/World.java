package dev.pitwall.lab.world;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The homelab the practice lab imitates: its machines, cards and servers as they are now. Every lab server answers
 * from this state and nothing else, so a change made through one protocol is seen through all of them.
 *
 * <p>The state is plain mutable objects; all of it is touched only inside {@link #read} and {@link #change}, which
 * hold one lock. Both must be short and must not do I/O.
 */
public final class World {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final LabClock clock;
    private final Random random;

    /** Proxmox hosts and bare-metal machines by name. */
    public final Map<String, LabHost> hosts = new TreeMap<>();
    /** VMs by their number, which is unique over all hosts. */
    public final Map<Integer, LabVm> vms = new TreeMap<>();
    /** LXC containers by their number, which no VM has. */
    public final Map<Integer, LabContainer> containers = new TreeMap<>();
    /** Kubernetes nodes by name. */
    public final Map<String, LabNode> nodes = new TreeMap<>();
    /** Physical cards by id, {@code host/0000:01:00}. */
    public final Map<String, LabCard> cards = new TreeMap<>();
    /** Model servers by name. */
    public final Map<String, LabModelServer> servers = new TreeMap<>();
    /** Models on disks that outlive their server, by uid of the claim. */
    public final Map<String, List<LabModelServer.Installed>> modelDisks = new TreeMap<>();
    /** Faults switched on now, in the order they were switched on. */
    public final List<LabFault> faults = new ArrayList<>();
    /** Name of the scene this world was made from. */
    public String scene = "";
    /** Name of the Proxmox cluster and of the Kubernetes context. */
    public String cluster = "";
    /** root's password on every machine. */
    public String shellPassword = "";
    /** What sort of Kubernetes the nodes form. */
    public LabCluster kubernetes = LabCluster.USUAL;
    /** What was posted to the Image Factory: canonical YAML by id. */
    public final Map<String, String> schematics = new TreeMap<>();
    /** Proxmox users by id. */
    public final Map<String, LabUser> users = new TreeMap<>();
    /** Proxmox API tokens by id. */
    public final Map<String, LabToken> tokens = new TreeMap<>();
    /** Proxmox PCI resource mappings: entries such as {@code node=pve1,path=0000:01:00,id=10de:25b0} by mapping. */
    public final Map<String, List<String>> pciMappings = new TreeMap<>();
    /** What else each of them is stored with: {@code description}, {@code mdev}, {@code live-migration-capable}. */
    public final Map<String, Map<String, String>> pciMappingOptions = new TreeMap<>();
    /** Proxmox roles an administrator made: privileges by name. */
    public final Map<String, Set<String>> roles = new TreeMap<>();
    /** Proxmox access control list; what a scene gives a user or a token is in {@link LabUser#rights} and {@link LabToken#rights}. */
    public final List<LabAcl> acl = new ArrayList<>();
    /** Tasks of the Proxmox hosts by UPID, oldest first. */
    public final Map<String, LabTask> tasks = new LinkedHashMap<>();
    /** Storages of the Proxmox hosts by name. */
    public final Map<String, LabStorage> storages = new TreeMap<>();
    /** Backups that lie on the storages. */
    public final List<LabBackup> backups = new ArrayList<>();
    /** Backup jobs of the Proxmox cluster: options by job. */
    public final Map<String, Map<String, String>> backupJobs = new TreeMap<>();
    /** VMs that the HA stack looks after, by their {@code sid}. */
    public final Map<String, LabHaResource> haResources = new TreeMap<>();
    /** HA groups (up to 8) and rules (from 9): options by name. */
    public final Map<String, Map<String, String>> haGroups = new TreeMap<>();
    public final Map<String, Map<String, String>> haRules = new TreeMap<>();
    /** How long a VM's guest takes from power to an answer. */
    public Duration guestBoot = Duration.ZERO;
    /** What each start of a machine's kernel does, in the order it was added. */
    public final List<BootStep> bootSteps = new CopyOnWriteArrayList<>();
    /** What is to happen by itself, soonest first; see {@link #plan}. */
    private final PriorityQueue<Plan> plans = new PriorityQueue<>(Comparator.comparing(Plan::at));
    /** Plain pods that the cluster runs besides those it needs itself. */
    public int pods;
    /** How many of those come or go each lab second. */
    public double podChangesPerSecond;

    private record Plan(Instant at, Consumer<World> change) {
    }

    /** @param seed makes a run repeatable */
    public World(LabClock clock, long seed) {
        this.clock = clock;
        this.random = new Random(seed);
    }

    public LabClock clock() {
        return clock;
    }

    /** The one source of chance. Use only inside {@link #change}. */
    public Random random() {
        return random;
    }

    /** Looks at the state. */
    public <T> T read(Function<World, T> look) {
        lock.lock();
        try {
            return look.apply(this);
        } finally {
            lock.unlock();
        }
    }

    /** Changes the state, then tells the listeners, outside the lock. */
    public void change(Consumer<World> change) {
        lock.lock();
        try {
            change.accept(this);
        } finally {
            lock.unlock();
        }
        listeners.forEach(Runnable::run);
    }

    /**
     * Lets something happen later by itself, as a machine that comes up again. The lab's life sees to it. Call inside
     * {@link #change}.
     *
     * @param change looks first whether it is still to be done: what it was planned for may have gone meanwhile
     */
    public void plan(Instant at, Consumer<World> change) {
        plans.add(new Plan(at, change));
    }

    /** When the next of what was planned is due; empty for nothing. Call inside {@link #read}. */
    public Optional<Instant> nextPlan() {
        return Optional.ofNullable(plans.peek()).map(Plan::at);
    }

    /** Does what was planned up to now, in its order. Call inside {@link #change}. */
    public void runDue(Instant now) {
        while (!plans.isEmpty() && !plans.peek().at().isAfter(now)) {
            plans.poll().change().accept(this);
        }
    }

    /** Files of a host or a node that differ from what is computed; a bare-metal node has its host's. */
    public Optional<Map<String, byte[]>> files(String machine) {
        LabNode node = nodes.get(machine);
        if (node != null && node.vmid != 0) {
            return Optional.of(node.files);
        }
        return Optional.ofNullable(hosts.get(node == null ? machine : node.host)).map(host -> host.files);
    }

    /** The operating system of a host or a node; a bare-metal node has its host's. Call inside {@link #read}. */
    public Optional<LabSystem> system(String machine) {
        LabNode node = nodes.get(machine);
        if (node != null && node.vmid != 0) {
            return Optional.of(node.system);
        }
        return Optional.ofNullable(hosts.get(node == null ? machine : node.host)).map(host -> host.system);
    }

    /**
     * @param listener called after every change, from the changing thread; must return at once
     * @return closing it ends the calls
     */
    public Listening onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
