package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.world.GuestShell;
import dev.pitwall.lab.world.LabStorage;
import dev.pitwall.lab.world.World;

import java.util.List;
import java.util.Map;

/**
 * What the Proxmox hosts of a lab do, whoever asks: the API, or a command on a host. All of it works on the world; this
 * class puts the parts together. A command in a shell calls it as {@code new Caller.User("root@pam")}.
 */
public final class Datacenter implements AutoCloseable {
    private final Formats formats = new Formats();
    private final ConfigOptions options = new ConfigOptions();
    private final Rights rights;
    private final Tasks tasks;
    private final VmPower power;
    private final VmConfig config;
    private final VmStore store;
    private final Snapshots snapshots;
    private final VmMoves moves;
    private final Mappings mappings;
    private final Backups backups;
    private final NodePower nodes;
    private final GuestAgent agent;
    private final ClusterRounds rounds;

    private Datacenter(World world) {
        Times times = new Times();
        this.rights = new Rights(world, new Roles());
        this.tasks = new Tasks(world);
        VmLocks locks = new VmLocks(world.clock(), times.of("lockTimeout"));
        VmStart starts = new VmStart(world, new PassThrough(), times);
        VmStop stops = new VmStop(world, times);
        this.power = new VmPower(world, tasks, locks, starts, stops);
        ParameterCheck schema = new RouteTable(formats, options).check("PUT /nodes/{node}/qemu/{vmid}/config");
        VmWrites writes = VmWrites.of(world, tasks, locks, rights, options, times);
        this.config = new VmConfig(writes, schema);
        this.store = new VmStore(writes, power);
        this.snapshots = new Snapshots(world, tasks, locks, power, times);
        this.moves = new VmMoves(world, tasks, locks, times);
        this.mappings = new Mappings(world);
        this.backups = new Backups(world, tasks, locks, starts, stops, times);
        this.nodes = new NodePower(world, tasks, power, times);
        this.agent = new GuestAgent(world);
        world.change(w -> {
            w.guestBoot = times.of("guestBoot");
            storages().forEach(storage -> w.storages.putIfAbsent(storage.name(), storage));
        });
        this.rounds = ClusterRounds.start(world, new HaStack(world, tasks, power, times), backups, times.of("haRound"));
    }

    /** Starts what a cluster does by itself; close it before the world goes. */
    public static Datacenter open(World world) {
        return new Datacenter(world);
    }

    public Tasks tasks() {
        return tasks;
    }

    public VmPower power() {
        return power;
    }

    public VmConfig config() {
        return config;
    }

    public VmStore store() {
        return store;
    }

    public Snapshots snapshots() {
        return snapshots;
    }

    public VmMoves moves() {
        return moves;
    }

    public Mappings mappings() {
        return mappings;
    }

    public Backups backups() {
        return backups;
    }

    public NodePower nodes() {
        return nodes;
    }

    public GuestAgent agent() {
        return agent;
    }

    public Rights rights() {
        return rights;
    }

    /** Gives the guest agents the machines' files and commands. */
    public void connect(GuestShell machines) {
        agent.connect(machines);
    }

    /** A VM's options as Proxmox shows them: some are numbers. Call inside a world lock. */
    Map<String, Object> typed(Map<String, String> values) {
        return new ConfigValues(options).typed(values);
    }

    RouteTable routes() {
        return new RouteTable(formats, options);
    }

    @Override
    public void close() {
        rounds.close();
        nodes.close();
        agent.close();
        tasks.close();
    }

    private static List<LabStorage> storages() {
        return DataFile.read("proxmox/storages.yaml", new TypeReference<List<LabStorage>>() { });
    }
}
